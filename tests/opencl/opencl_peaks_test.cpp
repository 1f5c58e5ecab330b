// SPDX-License-Identifier: GPL-3.0-or-later
// Measured rates of an OpenCL device, and the limits that kernels have by them.
#include "engine/backends/backend.h"
#include "engine/backends/opencl/device/device_peaks.h"
#include "engine/backends/opencl/device/opened_device.h"
#include "engine/measure/benchmark.h"
#include "engine/measure/limits.h"
#include "tests/opencl/opencl.h"

#include <cmath>

using namespace engine;
using namespace fixtures;

class OpenClPeaksTest : public QObject
{
    Q_OBJECT

  private slots:
    void initTestCase() { SINOSCOPE_NEEDS_OPENCL(); }

    void ratesAreFiniteAndPositive()
    {
        const OpenClPeaks peaks = openClPeaks(0);
        const auto isRate = [](double rate) { return rate > 1e6 && rate < 1e18; }; // false for NaN
        QVERIFY2(isRate(peaks.localBytes), qPrintable(QString::number(peaks.localBytes)));
        QVERIFY2(isRate(peaks.multiplyAdds), qPrintable(QString::number(peaks.multiplyAdds)));
        for (const auto& [format, rate] : peaks.fetches)
            QVERIFY2(isRate(rate), qPrintable(QString::number(rate)));
    }

    // Each format that the kernels use, and no other, has a rate.
    void everyFormatOfTheKernels()
    {
        if (!openClDevices().devices.front().hasImages)
            QSKIP("the device has no images");
        const OpenClPeaks peaks = openClPeaks(0);
        opencl::OpenedDevice device(0);
        for (const bool half : {false, true})
            for (const int values : {1, 2, 4})
                for (const bool nearest : {false, true}) {
                    const int channels = device.channelsFor(values, half);
                    QVERIFY(peaks.fetches.contains({channels, half, nearest}));
                }
    }

    void measuredOnce()
    {
        const OpenClPeaks first = openClPeaks(0), second = openClPeaks(0);
        QVERIFY(first.fetches == second.fetches);
        QCOMPARE(first.localBytes, second.localBytes);
        QCOMPARE(first.multiplyAdds, second.multiplyAdds);
    }

    // A kernel has a share of its limit, and none is several times faster than that, even while other programs run.
    void kernelsHaveAShareOfTheirLimit()
    {
        BenchmarkOptions options;
        options.size = 128;
        options.projections = 32;
        options.repeat = 2;
        options.device = {"opencl", 0};
        options.methods = {"standard-opencl", "texture-opencl", "alu-opencl", "hybrid-opencl"};
        options.interpolation = Interpolation::linear;
        options.precision = Precision::single;
        std::vector<BenchmarkRow> rows = benchmarkMethods(options);
        const MachinePeaks peaks = addLimits(rows);
        QCOMPARE(peaks.of(openClBackend).size(), std::size_t(1));
        QVERIFY(peaks.of(cpuBackend).empty() && peaks.of(cudaBackend).empty());
        QVERIFY(!rows.empty());
        for (const BenchmarkRow& row : rows) {
            QVERIFY2(!row.limits.empty(), row.method.c_str());
            const double share = row.kernelGups / row.limits.front().gups;
            QVERIFY2(share > 1e-4 && share < 4,
                     qPrintable(QString::fromStdString(row.method) + QString::number(share)));
            QCOMPARE(openClBackend.limitsOf(workOf(row), peaks.of(openClBackend).front()).front().gups,
                     row.limits.front().gups);
        }
    }
};

SINOSCOPE_TEST(OpenClPeaksTest, QCoreApplication)
#include "opencl_peaks_test.moc"
