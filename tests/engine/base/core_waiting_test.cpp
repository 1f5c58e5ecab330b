// SPDX-License-Identifier: GPL-3.0-or-later
// Threads that have to wait for a core are noticed.
#include "engine/base/core_waiting.h"

#include "tests/test_program.h"

#include <QTest>

#include <atomic>
#include <ctime>
#include <thread>
#include <vector>

using namespace engine;

class CoreWaitingTest : public QObject
{
    Q_OBJECT
  private slots:
    // Each of four threads per core wants its own 50 ms of processor time, so that three in four wait.
    void moreThreadsThanCores()
    {
        if (!CoreWaiting().share(1))
            QSKIP("the system doesn't count how long threads wait");
        const int threads = 4 * static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
        const CoreWaiting waiting;
        std::optional<double> share;
        {
            std::atomic<int> running = threads;
            std::atomic<bool> isMeasured = false;
            std::vector<std::jthread> all;
            for (int k = 0; k < threads; ++k)
                all.emplace_back([&, k] {
                    const auto used = [] {
                        timespec time{};
                        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
                        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
                    };
                    while (used() < 0.05) {
                    }
                    --running;
                    const auto pause = [] { std::this_thread::sleep_for(std::chrono::milliseconds(1)); };
                    while (k == 0 && running > 0)
                        pause();
                    if (k == 0) {
                        share = waiting.share(threads);
                        isMeasured = true;
                    }
                    while (!isMeasured) // a thread that has ended isn't counted
                        pause();
                });
        }
        QVERIFY(share.has_value());
        QVERIFY2(*share > 0.3 && *share < 1.05, qPrintable(QString::number(*share)));
    }
};

SINOSCOPE_TEST(CoreWaitingTest, QCoreApplication)
#include "core_waiting_test.moc"
