// SPDX-License-Identifier: GPL-3.0-or-later
// Measured rates of the GPU's units against those that its clock and its multiprocessors allow.
#include "tests/gpu/device.h"

#include "engine/backends/cuda/device/devices.h"
#include "engine/backends/cuda/device/gpu_peaks.h"
#include "engine/measure/benchmark.h"
#include "engine/measure/limits.h"
#include "tests/fixtures.h"

using namespace engine;
using namespace fixtures;

class PeaksTest : public QObject
{
    Q_OBJECT

  private slots:
    void ratesAreThoseOfTheHardware()
    {
        SINOSCOPE_NEEDS_GPU();
        const Device& device = cudaDevices().devices.front();
        const GpuPeaks peaks = gpuPeaks(device.index);
        // Clocks of boards differ from the nominal one, which the driver may lower.
        const auto isNear = [](double measured, double nominal) {
            return measured > 0.5 * nominal && measured < 1.1 * nominal;
        };
        QVERIFY2(isNear(peaks.texels, device.texelsPerSecond), qPrintable(QString::number(peaks.texels)));
        // Each multiprocessor reads 32 banks of 4 bytes per cycle (Turing to Blackwell).
        QVERIFY2(isNear(peaks.sharedBytes, 128.0 * device.computeUnits * device.clockMhz * 1e6),
                 qPrintable(QString::number(peaks.sharedBytes)));
        // As fast in wide loads; a shift is an instruction of the integer units, which are half as many or as many.
        QVERIFY2(peaks.wideSharedBytes > 0.8 * peaks.sharedBytes && peaks.wideSharedBytes < 1.2 * peaks.sharedBytes,
                 qPrintable(QString::number(peaks.wideSharedBytes)));
        QVERIFY(peaks.integers > 0.3 * peaks.instructions && peaks.integers < 1.2 * peaks.instructions);
        QVERIFY(peaks.conversions > 0.05 * peaks.instructions && peaks.conversions < 1.2 * peaks.instructions);
        QVERIFY(peaks.cacheLines > 0 && peaks.cacheLines < peaks.sharedBytes / sizeof(float));
        QVERIFY(peaks.instructions > 0 && peaks.memoryBytes > peaks.upBytes && peaks.downBytes > 1e9);
        QCOMPARE(peaks.tensorProducts > 0, device.computeMajor >= 8);
    }

    void noKernelPassesItsLimit()
    {
        SINOSCOPE_NEEDS_GPU();
        BenchmarkOptions options;
        options.size = 512;
        options.projections = 512;
        options.repeat = 3;
        options.device = {"cuda", cudaDevices().devices.front().index};
        options.methods = {"standard", "texture", "hybrid", "alu", "tensor"};
        std::vector<BenchmarkRow> rows = benchmarkMethods(options);
        addLimits(rows);
        int limited = 0;
        for (const BenchmarkRow& row : rows)
            if (!row.limits.empty()) {
                ++limited;
                QVERIFY2(row.kernelGups < 1.1 * row.limits.front().gups,
                         qPrintable(QString::fromStdString(row.method + ' ' + toText(row.interpolation) + ' ' +
                                                           limiterText(row.kernelGups, row.limits))));
            }
        QVERIFY(limited > 10);
    }
};

SINOSCOPE_TEST(PeaksTest, QCoreApplication)
#include "peaks_test.moc"
