// SPDX-License-Identifier: GPL-3.0-or-later
// A stage that is slowed deliberately, in its own reports of progress, shows up in that stage's seconds, and a kernel
// in its share of the limit too.
#include "engine/measure/limits.h"
#include "engine/reconstruct/reconstruct.h"
#include "tests/fixtures.h"

#include <chrono>
#include <thread>

using namespace engine;

class SlowedKernelTest : public QObject
{
    Q_OBJECT

    static constexpr double delay = 0.02; // seconds

    // Returns the reconstruction; delays: number of times that the stage was delayed.
    static Reconstruction slowed(std::optional<Stage> stage, int& delays)
    {
        Request request = fixtures::requestFor(fixtures::smallScan(256, 256));
        request.resources.threads = 1;
        delays = 0;
        const auto progress = [&](Stage now, double fraction) {
            if (now != stage || fraction <= 0 || fraction >= 1) // 0 and 1 are reported before and after the stage
                return;
            std::this_thread::sleep_for(std::chrono::duration<double>(delay));
            ++delays;
        };
        return Reconstructor().run(request, progress);
    }

  private slots:
    void theSlowedStageTakesTheTime()
    {
        int delays = 0;
        const Reconstruction kernel = slowed(Stage::backproject, delays);
        QVERIFY(delays >= 5);
        QVERIFY(kernel.timings.kernelSeconds >= delays * delay);
        QVERIFY(kernel.timings.filter.seconds < kernel.timings.kernelSeconds);
        const double updates = 256.0 * 256 * 256;
        QVERIFY(kernel.kernelGups <= 1e-9 * updates / (delays * delay));
        const Reconstruction filter = slowed(Stage::filter, delays);
        if (delays > 0)
            QVERIFY(filter.timings.filter.seconds >= delays * delay);
        QVERIFY(filter.timings.kernelSeconds < kernel.timings.kernelSeconds);
    }

    void theShareOfTheLimitFalls()
    {
        int delays = 0;
        const Reconstruction fast = slowed(std::nullopt, delays), slow = slowed(Stage::backproject, delays);
        QVERIFY(slow.kernelGups < fast.kernelGups / 2);
        QVERIFY(workOf(slow).kernel == workOf(fast).kernel); // and so are the limits
        const std::vector<Limit> limits{{"shuffles", 1.1 * fast.kernelGups, 2}};
        QVERIFY(limiterSentence(fast.kernelGups, limits).starts_with("Limited by shuffles"));
        QVERIFY(limiterSentence(slow.kernelGups, limits).find("uses only") != std::string::npos);
    }
};

SINOSCOPE_TEST(SlowedKernelTest, QCoreApplication)
#include "slowed_kernel_test.moc"
