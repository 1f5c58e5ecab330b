// SPDX-License-Identifier: GPL-3.0-or-later
// The limits of a kernel: rates of units over operations per update.
#include "engine/backproject/parallel/cpu/kernels.h"
#include "engine/backproject/support.h"
#include "engine/base/error.h"
#include "engine/cuda/devices.h"
#include "engine/measure/benchmark.h"
#include "engine/measure/limits.h"
#include "engine/reconstruct/reconstruct.h"
#include "tests/fixtures.h"

#include <cmath>
#include <thread>

using namespace engine;

class LimitsTest : public QObject
{
    Q_OBJECT

    static KernelWork work(const char* method, Interpolation interpolation, Precision precision, int slicesPerPass)
    {
        Kernel kernel{.method = method};
        kernel.interpolation = interpolation;
        kernel.precision = precision;
        kernel.slicesPerPass = slicesPerPass;
        return {.kernel = kernel, .device = {}, .instructionSet = "AVX2", .threads = 1};
    }

  private slots:
    void processor()
    {
        const ProcessorPeaks core{"AVX2", 60, 20, 50, 30}; // multiply-adds, shuffles, loads, pairs
        const auto lowest = [&](const KernelWork& of) {
            const std::vector<Limit> limits = limitsOf(of, core);
            return limits.empty() ? Limit{} : limits.front();
        };
        const auto linear = lowest(work("cpu", Interpolation::linear, Precision::single, 1)); // two shuffles
        QCOMPARE(linear.unit, std::string("shuffles"));
        QCOMPARE(linear.gups, 10.0);
        QCOMPARE(lowest(work("cpu", Interpolation::cubic, Precision::single, 1)).gups, 5.0);
        const auto many = lowest(work("cpu", Interpolation::linear, Precision::single, 32)); // two loads
        QCOMPARE(many.unit, std::string("loads"));
        QCOMPARE(many.gups, 25.0);
        const auto half = lowest(work("cpu", Interpolation::linear, Precision::half, 32));
        QCOMPARE(half.unit, std::string("16-bit products"));
        QCOMPARE(half.gups, 30.0);
        KernelWork threads = work("cpu", Interpolation::linear, Precision::single, 32);
        threads.threads = 1000; // the cores count
        QCOMPARE(lowest(threads).gups, 25.0 * std::thread::hardware_concurrency());
        ProcessorPeaks paired = core; // two threads share a core
        paired.shareOfEach = 0.5;
        QCOMPARE(limitsOf(threads, paired).front().gups, 12.5 * std::thread::hardware_concurrency());
        threads.threads = 1;
        if (std::thread::hardware_concurrency() > 1)
            QCOMPARE(limitsOf(threads, paired).front().gups, 25.0);
        for (const char* other : {"exact", "double", "ladder"}) // not counted
            QVERIFY(limitsOf(work(other, Interpolation::linear, Precision::single, 1), core).empty());
    }

    void gpu()
    {
        GpuPeaks peaks; // those of an H200 at 1.98 GHz
        peaks.texels = 1045e9;
        peaks.sharedBytes = peaks.instructions = 33.4e12;
        peaks.tensorProducts = 174e9;
        const auto lowest = [&](const KernelWork& of) {
            const std::vector<Limit> limits = limitsOf(of, peaks);
            return limits.empty() ? Limit{} : limits.front();
        };
        const auto texture = lowest(work("texture", Interpolation::linear, Precision::half, 4)); // a fetch for 4
        QCOMPARE(texture.unit, std::string("texture units"));
        QCOMPARE(texture.gups, 4180.0);
        QCOMPARE(lowest(work("texture", Interpolation::linear, Precision::single, 4)).gups, 1045.0);
        const auto alu = lowest(work("alu", Interpolation::linear, Precision::single, 1)); // 8 bytes
        QCOMPARE(alu.unit, std::string("shared memory"));
        QCOMPARE(alu.gups, 4175.0);
        QCOMPARE(lowest(work("alu", Interpolation::nearest, Precision::single, 1)).unit, std::string("instructions"));
        const auto tensor = lowest(work("tensor", Interpolation::linear, Precision::half, 32));
        QCOMPARE(tensor.gups, 174.0 * 256);
        QCOMPARE(lowest(work("tensor", Interpolation::linear, Precision::single, 32)).gups, 174.0 * 256 / 3);
        peaks.tensorProducts = 0; // below compute capability 8.0
        QVERIFY(limitsOf(work("tensor", Interpolation::linear, Precision::half, 32), peaks).empty());
        const std::vector<Limit> sorted = limitsOf(work("alu", Interpolation::linear, Precision::single, 1), peaks);
        QVERIFY(sorted.size() == 2 && sorted[0].gups < sorted[1].gups);
    }

    void openCl()
    {
        OpenClPeaks peaks;
        peaks.fetches = {{{1, false, false}, 800e9},
                         {{1, false, true}, 1000e9},
                         {{2, false, false}, 500e9},
                         {{4, false, false}, 200e9},
                         {{4, true, false}, 400e9}};
        peaks.localBytes = 30e12;
        peaks.multiplyAdds = 30e12;
        const auto lowest = [&](const KernelWork& of) {
            const std::vector<Limit> limits = limitsOf(of, peaks);
            return limits.empty() ? Limit{} : limits.front();
        };
        const auto texture = lowest(work("texture-opencl", Interpolation::linear, Precision::single, 1));
        QCOMPARE(texture.unit, std::string("texture units"));
        QCOMPARE(texture.gups, 800.0);
        KernelWork onProcessor = work("texture-opencl", Interpolation::linear, Precision::single, 1);
        onProcessor.isOnGpu = false;
        QCOMPARE(lowest(onProcessor).unit, std::string("image reads"));
        onProcessor.kernel.method = "standard-opencl";
        QVERIFY(limitsRemark(onProcessor).empty());
        QCOMPARE(lowest(work("standard-opencl", Interpolation::nearest, Precision::single, 1)).gups, 1000.0);
        QCOMPARE(lowest(work("texture-opencl", Interpolation::linear, Precision::single, 2)).gups, 1000.0);
        QCOMPARE(lowest(work("texture-opencl", Interpolation::linear, Precision::single, 4)).gups, 800.0);
        // A device without images of one or two halves reads four channels.
        QCOMPARE(lowest(work("texture-opencl", Interpolation::linear, Precision::half, 2)).gups, 800.0);
        const auto alu = lowest(work("alu-opencl", Interpolation::linear, Precision::single, 1)); // 8 bytes
        QCOMPARE(alu.unit, std::string("local memory"));
        QCOMPARE(alu.gups, 3750.0);
        QCOMPARE(lowest(work("alu-opencl", Interpolation::cubic, Precision::half, 4)).gups, 30e3 / 16); // as floats
        QCOMPARE(lowest(work("alu-opencl", Interpolation::linear, Precision::half, 4)).gups, 7500.0);
        QCOMPARE(lowest(work("alu-opencl", Interpolation::nearest, Precision::half, 4)).unit,
                 std::string("local memory"));
        QCOMPARE(limitsOf(work("alu-opencl", Interpolation::nearest, Precision::single, 1), peaks).back().unit,
                 std::string("multiply-adds"));
        QVERIFY(limitsOf(work("hybrid-opencl", Interpolation::linear, Precision::single, 1), peaks).empty());
        KernelWork variant = work("alu-opencl", Interpolation::linear, Precision::single, 1);
        variant.kernel.variant = "values";
        QVERIFY(limitsOf(variant, peaks).empty()); // not counted
        KernelWork cone = work("texture-opencl", Interpolation::linear, Precision::half, 8);
        cone.isCone = true;
        QCOMPARE(lowest(cone).gups, 1600.0);
        QVERIFY(limitsOf(cone, OpenClPeaks()).empty());
    }

    void sentence()
    {
        QCOMPARE(limiterText(3640, {{"shared memory", 4180}, {"instructions", 4919}}),
                 std::string("87 % of shared memory"));
        QVERIFY(limiterText(1, {}).empty());
        QCOMPARE(limiterSentence(3640, {{"shared memory", 4180}, {"instructions", 4919}}),
                 std::string("Limited by shared memory: 87 % of the rate that this device has."));
        QCOMPARE(limiterSentence(10, {{"shuffles", 20}}),
                 std::string("The kernel needs shuffles most, but uses only 50 % of the rate that this device has: "
                             "waiting, other instructions or other programs limit it."));
        QVERIFY(limiterSentence(1, {}).empty());
    }

    // Every method either has a limit that it may reach, or a sentence that says why it hasn't.
    void everyMethodIsExplained()
    {
        GpuPeaks gpu;
        gpu.texels = gpu.sharedBytes = gpu.instructions = gpu.tensorProducts = 1e12;
        const ProcessorPeaks core{processorTarget(), 1, 1, 1, 1};
        const OpenClPeaks openCl{{{{4, false, false}, 1e12}}, 1e12, 1e12};
        for (const GeometryKind& kind : geometryKinds())
            for (const Method* method : methodsFor(kind.example))
                for (const int slices : method->slicesPerPass) {
                    KernelWork one;
                    one.kernel.method = method->id;
                    one.kernel.slicesPerPass = slices;
                    one.isCone = std::holds_alternative<ConeBeam>(kind.example);
                    one.device.kind = method->device;
                    one.instructionSet = processorTarget();
                    const bool isGpu = method->device == DeviceSettings::Kind::cuda;
                    const bool isOpenCl = method->device == DeviceSettings::Kind::opencl;
                    const bool hasLimit = !(isGpu      ? limitsOf(one, gpu)
                                            : isOpenCl ? limitsOf(one, openCl)
                                                       : limitsOf(one, core))
                                               .empty();
                    QVERIFY2(hasLimit || !limitsRemark(one).empty(), method->id);
                }
        QVERIFY(limitsRemark(work("texture", Interpolation::linear, Precision::single, 1)).empty());
        QVERIFY(limitsRemark(work("hybrid", Interpolation::linear, Precision::single, 1)).find("take turns") !=
                std::string::npos);
        const KernelWork one = work("cpu", Interpolation::linear, Precision::single, 1);
        const std::vector<Limit> limits{{"shuffles", 10, 2}};
        QCOMPARE(explainedLimit(8, limits, one), limiterSentence(8, limits)); // reached: nothing to explain
        QCOMPARE(explainedLimit(4, limits, one), limiterSentence(4, limits) + ' ' + limitsRemark(one));
        QCOMPARE(explainedLimit(4, {}, one), limitsRemark(one));
    }

    // No kernel is faster than the unit that it needs most.
    void measuredOnThisProcessor()
    {
        BenchmarkOptions options;
        options.size = 128;
        options.projections = 64;
        options.repeat = 3;
        options.threads = 1;
        options.methods = {"cpu"};
        options.interpolation = Interpolation::linear;
        std::vector<BenchmarkRow> rows = benchmarkMethods(options);
        const MachinePeaks peaks = addLimits(rows);
        QCOMPARE(peaks.cores.size(), std::size_t(1));
        QCOMPARE(peaks.cores.front().instructionSet, processorTarget());
        QVERIFY(peaks.gpus.empty());
        for (const BenchmarkRow& one : rows) {
            QVERIFY(one.limits.empty() == limitsOf(workOf(one), peaks.cores.front()).empty());
            if (!one.limits.empty())
                QVERIFY2(one.kernelGups > 0 && (fixtures::sanitized || one.kernelGups < 1.5 * one.limits.front().gups),
                         qPrintable(QStringLiteral("%1 of %2").arg(one.kernelGups).arg(one.limits.front().gups)));
        }
    }

    // A slice of the window and a row of `benchmark` have the same limits.
    void ofASlice()
    {
        Request request = fixtures::requestFor(fixtures::smallScan());
        request.resources.threads = 1;
        const Reconstruction made = Reconstructor().run(request);
        MachinePeaks peaks;
        const std::vector<Limit> limits = limitsOf(workOf(made), peaks);
        QCOMPARE(peaks.cores.size(), std::size_t(1));
        BenchmarkRow same;
        same.method = "cpu";
        same.device = "cpu";
        same.instructionSet = processorTarget();
        same.threads = 1;
        const std::vector<Limit> ofRow = limitsOf(workOf(same), peaks);
        QCOMPARE(limits.size(), ofRow.size());
        QVERIFY(limits.empty() || limits.front().gups == ofRow.front().gups);
        QCOMPARE(peaks.cores.size(), std::size_t(1)); // not measured again
    }

    void withoutOpenCl()
    {
        BenchmarkRow onMissing;
        onMissing.method = "alu-opencl";
        onMissing.device = "opencl:99";
        std::vector<BenchmarkRow> rows{onMissing};
        QVERIFY(addLimits(rows).openCl.empty()); // and no exception
        QVERIFY(rows.front().limits.empty());
    }

    void withoutGpu()
    {
        if (!cudaDevices().devices.empty())
            QSKIP("there is a GPU");
        BenchmarkRow onGpu;
        onGpu.method = "alu";
        onGpu.device = "cuda";
        std::vector<BenchmarkRow> rows{onGpu};
        QVERIFY(addLimits(rows).gpus.empty()); // and no exception
        QVERIFY(rows.front().limits.empty());
    }
};

SINOSCOPE_TEST(LimitsTest, QCoreApplication)
#include "limits_test.moc"
