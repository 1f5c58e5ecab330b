// SPDX-License-Identifier: GPL-3.0-or-later
// The processors' name, and threads bound to the processors near a GPU: parsing of Linux processor lists, and restoring
// all processors afterwards.
#include "engine/base/bound_thread.h"
#include "engine/base/machine.h"
#include "tests/test_program.h"

#include <fstream>
#include <sstream>
#include <thread>

using namespace engine;

namespace
{

int processorsAllowed()
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : -1;
}

int firstAllowed()
{
    cpu_set_t set;
    sched_getaffinity(0, sizeof set, &set);
    for (int k = 0; k < CPU_SETSIZE; ++k)
        if (CPU_ISSET(k, &set))
            return k;
    return -1;
}

} // namespace

class BoundThreadTest : public QObject
{
    Q_OBJECT

  private slots:
    void name()
    {
        std::ostringstream all;
        all << std::ifstream("/proc/cpuinfo").rdbuf();
        QVERIFY(!processorName().empty());
        if (all.str().find("model name") == std::string::npos)
            QCOMPARE(processorName(), std::string("processor"));
        else
            QVERIFY(all.str().find(": " + processorName() + '\n') != std::string::npos);
    }

    void lists()
    {
        const auto count = [](const char* list) {
            const auto set = processorsFromText(list);
            return set ? CPU_COUNT(&*set) : 0;
        };
        QCOMPARE(count("0-3,8\n"), 5);
        QCOMPARE(count("7"), 1);
        QCOMPARE(count("0-15,32-47"), 32);
        for (const char* bad : {"", "\n", "a", "3-1", "1,,2", "-4", "0-99999", "1-", "1 2"})
            QCOMPARE(count(bad), 0);
    }

    void boundAndBack()
    {
        const int before = processorsAllowed();
        {
            const BoundThread bound(std::to_string(firstAllowed()));
            QCOMPARE(processorsAllowed(), 1);
            std::jthread([] { QCOMPARE(processorsAllowed(), 1); });
        }
        QCOMPARE(processorsAllowed(), before);
        const BoundThread nowhere("1000"); // not an allowed processor: the thread stays unbound
        QCOMPARE(processorsAllowed(), before);
    }
};

SINOSCOPE_TEST(BoundThreadTest, QCoreApplication)
#include "bound_thread_test.moc"
