// SPDX-License-Identifier: GPL-3.0-or-later
// Every start of a thread may fail: the result is an Error with a clear message, or the complete work without that
// thread; nothing hangs, and no files are left.
#include "tests/exhaustion/trials.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

using namespace trials;

namespace
{

constexpr int processors = 8; // reported to oneTBB on every machine

std::atomic<int> startsLeft = 0; // the n-th start from now fails; 0: none
std::atomic<int> mostAlive = -1; // limit of simultaneous threads; negative: no limit
std::atomic<int> alive = 0;

struct Start {
    void* (*work)(void*);
    void* argument;
};

// Not on the heap, whose failures are the subject of memory_test.cpp in the same program.
std::array<Start, 1 << 16> starts;
std::atomic<unsigned> started = 0;

void* counted(void* given)
{
    const Start start = *static_cast<Start*>(given);
    struct Gone {
        ~Gone() { --alive; }
    } const gone;
    return start.work(start.argument);
}

template <typename Function>
Function* theSystems(const char* name)
{
    return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

} // namespace

extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*work)(void*), void* argument)
{
    static const auto create =
        theSystems<int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)>("pthread_create");
    if (startsLeft > 0 && --startsLeft == 0)
        return EAGAIN;
    if (++alive > mostAlive && mostAlive >= 0) {
        --alive;
        return EAGAIN;
    }
    Start& start = starts[started++ % starts.size()];
    start = {work, argument};
    const int failure = create(thread, attributes, &counted, &start);
    alive -= failure != 0;
    return failure;
}

extern "C" int sched_getaffinity(pid_t, std::size_t size, cpu_set_t* set) noexcept
{
    CPU_ZERO_S(size, set);
    for (int cpu = 0; cpu < processors; ++cpu)
        CPU_SET_S(cpu, size, set);
    return 0;
}

extern "C" long sysconf(int name) noexcept
{
    static const auto system = theSystems<long(int)>("sysconf");
    return name == _SC_NPROCESSORS_ONLN || name == _SC_NPROCESSORS_CONF ? processors : system(name);
}

class ThreadsTest : public QObject
{
    Q_OBJECT

  private slots:
    void limit()
    {
        const Scene scene("out");
        constexpr int stages = 3;               // reading, preparing and writing need a thread each
        constexpr int workers = processors - 1; // threads of oneTBB, which start at any time or not at all
        for (int most = 0; most <= 16; ++most) {
            const Trial trial = attempt(
                [&] {
                    fixtures::smallScan(8, 8)->read({0, 1}, {}); // starts oneTBB's threads
                    scene.makeVolume();
                },
                [&] {
                    alive = 0; // the child process has none of the parent's threads
                    mostAlive = most;
                });
            const std::string wrong = scene.wrongWith(trial);
            QVERIFY2(wrong.empty(), (std::to_string(most) + " threads" + wrong).c_str());
            if (trial.outcome == Outcome::noMemory)
                QVERIFY2(fixtures::contains(trial.message, "threads"), trial.message.c_str());
            if (most < stages)
                QCOMPARE(int(trial.outcome), int(Outcome::noMemory));
            if (most >= stages + workers)
                QCOMPARE(int(trial.outcome), int(Outcome::done));
        }
    }

    void everyStartOfAStage()
    {
        const Scene scene("out");
        for (int n = 1; n <= 3; ++n) {
            const Trial trial = attempt(
                [&] {
                    fixtures::smallScan(8, 8)->read({0, 1}, {}); // starts oneTBB's threads
                    startsLeft = n;
                    scene.makeVolume();
                },
                [] {});
            const std::string wrong = scene.wrongWith(trial);
            QVERIFY2(wrong.empty(), (std::to_string(n) + wrong).c_str());
            QCOMPARE(int(trial.outcome), int(Outcome::noMemory));
        }
    }
};

SINOSCOPE_TEST(ThreadsTest, QCoreApplication)
#include "threads_test.moc"
