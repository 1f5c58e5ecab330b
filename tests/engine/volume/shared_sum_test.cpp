// SPDX-License-Identifier: GPL-3.0-or-later
// Sums through shared memory, with threads in place of processes.
#include "engine/base/error.h"
#include "engine/volume/shared_sum.h"
#include "tests/fixtures.h"

#include <thread>

using namespace engine;
using namespace fixtures;

namespace
{

struct alignas(64) CacheLine {
    char bytes[64] = {};
};

std::vector<CacheLine> memoryFor(int processes)
{
    return std::vector<CacheLine>(SharedSum::bytesFor(processes) / sizeof(CacheLine));
}

} // namespace

class SharedSumTest : public QObject
{
    Q_OBJECT

  private slots:
    // Several sums one after the other, of arrays that are smaller than a piece, that are whole pieces, and that are
    // larger than the data that can be handed over in advance.
    void sums_data()
    {
        QTest::addColumn<int>("processes");
        for (const int processes : {1, 2, 3, 5})
            QTest::addRow("%d", processes) << processes;
    }
    void sums()
    {
        QFETCH(const int, processes);
        std::vector<CacheLine> memory = memoryFor(processes);
        const std::vector<std::size_t> counts = {1000, 1 << 19, 3'000'001, 0, 1};
        const auto value = [](int number, std::size_t turn, std::size_t i) {
            return static_cast<float>((i * 7 + turn) % 1000) * static_cast<float>(number + 1);
        };
        std::vector<std::vector<float>> made(counts.size());
        const auto process = [&](int number) {
            SharedSum sum(memory.data(), processes, number);
            for (std::size_t turn = 0; turn < counts.size(); ++turn) {
                std::vector<float> values(counts[turn]);
                for (std::size_t i = 0; i < values.size(); ++i)
                    values[i] = value(number, turn, i);
                sum.sum(values, {});
                if (number == 0)
                    made[turn] = std::move(values);
            }
        };
        {
            std::vector<std::jthread> others;
            for (int number = 1; number < processes; ++number)
                others.emplace_back(process, number);
            process(0);
        }
        for (std::size_t turn = 0; turn < counts.size(); ++turn) {
            QCOMPARE(made[turn].size(), counts[turn]);
            for (std::size_t i = 0; i < counts[turn]; ++i) {
                float wanted = 0;
                for (int number = 0; number < processes; ++number)
                    wanted += value(number, turn, i); // whole numbers are exact
                if (made[turn][i] != wanted)
                    QFAIL(qPrintable(QString("turn %1, value %2: %3").arg(turn).arg(i).arg(made[turn][i])));
            }
        }
    }

    // Waiting ends with an error when the other process has stopped: the first process waits for the values of the
    // second, then the second process waits until the first takes its values.
    void isLeft()
    {
        std::vector<CacheLine> memory = memoryFor(2);
        std::vector<float> values(4'000'000);
        for (const int number : {0, 1}) {
            SharedSum sum(memory.data(), 2, number);
            int asked = 0;
            try {
                sum.sum(values, [&] { return ++asked > 3; });
                QFAIL("it came back");
            } catch (const Error& error) {
                QCOMPARE(error.kind(), ErrorKind::cancelled);
            }
            QCOMPARE(asked, 4);
        }
    }
};

SINOSCOPE_TEST(SharedSumTest, QCoreApplication)
#include "shared_sum_test.moc"
