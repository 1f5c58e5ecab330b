// SPDX-License-Identifier: GPL-3.0-or-later
// The limits of a kernel: rates of units over operations per update.
#include "engine/backends/cpu/parallel/kernels.h"
#include "engine/backends/devices.h"
#include "engine/backends/support.h"
#include "engine/base/error.h"
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

    static DeviceRates rates(const std::map<std::string, double>& gigaPerSecond)
    {
        DeviceRates made{"model", {}};
        for (const auto& [key, rate] : gigaPerSecond)
            made.units.push_back({key, key, 1e9 * rate});
        return made;
    }

  private slots:
    void processor()
    {
        const DeviceRates core = rates({{"multiplyAdds", 60}, {"shuffles", 20}, {"loads", 50}, {"fixedPairs", 30}});
        const auto lowest = [&](const KernelWork& of) {
            const std::vector<Limit> limits = cpuBackend.limitsOf(of, core);
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
        DeviceRates paired = core; // two threads share a core
        paired.shareOfEach = 0.5;
        QCOMPARE(cpuBackend.limitsOf(threads, paired).front().gups, 12.5 * std::thread::hardware_concurrency());
        threads.threads = 1;
        if (std::thread::hardware_concurrency() > 1)
            QCOMPARE(cpuBackend.limitsOf(threads, paired).front().gups, 25.0);
        for (const char* other : {"exact", "double", "ladder"}) // not counted
            QVERIFY(cpuBackend.limitsOf(work(other, Interpolation::linear, Precision::single, 1), core).empty());
    }

    void gpu()
    {
        const DeviceRates peaks = // those of an H200 at 1.98 GHz
            rates({{"texels", 1045}, {"sharedBytes", 33.4e3}, {"multiplyAdds", 33.4e3}, {"tensorProducts", 174}});
        const auto lowest = [&](const KernelWork& of) {
            const std::vector<Limit> limits = cudaBackend.limitsOf(of, peaks);
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
        const DeviceRates older = rates({{"texels", 1045}}); // below compute capability 8.0
        QVERIFY(cudaBackend.limitsOf(work("tensor", Interpolation::linear, Precision::half, 32), older).empty());
        const std::vector<Limit> sorted =
            cudaBackend.limitsOf(work("alu", Interpolation::linear, Precision::single, 1), peaks);
        QVERIFY(sorted.size() == 2 && sorted[0].gups < sorted[1].gups);
    }

    void openCl()
    {
        DeviceRates peaks = rates({{"localBytes", 30e3}, {"multiplyAdds", 30e3}});
        for (const UnitRate& fetch : {UnitRate{"fetches", "", 800e9, 1, false, false},
                                      {"fetches", "", 1000e9, 1, false, true},
                                      {"fetches", "", 500e9, 2, false, false},
                                      {"fetches", "", 200e9, 4, false, false},
                                      {"fetches", "", 400e9, 4, true, false}})
            peaks.units.push_back(fetch);
        const auto lowest = [&](const KernelWork& of) {
            const std::vector<Limit> limits = openClBackend.limitsOf(of, peaks);
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
        QCOMPARE(
            openClBackend.limitsOf(work("alu-opencl", Interpolation::nearest, Precision::single, 1), peaks).back().unit,
            std::string("multiply-adds"));
        QVERIFY(
            openClBackend.limitsOf(work("hybrid-opencl", Interpolation::linear, Precision::single, 1), peaks).empty());
        KernelWork variant = work("alu-opencl", Interpolation::linear, Precision::single, 1);
        variant.kernel.variant = "values";
        QVERIFY(openClBackend.limitsOf(variant, peaks).empty()); // not counted
        KernelWork cone = work("texture-opencl", Interpolation::linear, Precision::half, 8);
        cone.isCone = true;
        QCOMPARE(lowest(cone).gups, 1600.0);
        QVERIFY(openClBackend.limitsOf(cone, DeviceRates()).empty());
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
        DeviceRates all = rates({{"texels", 1},
                                 {"sharedBytes", 1},
                                 {"multiplyAdds", 1},
                                 {"tensorProducts", 1},
                                 {"shuffles", 1},
                                 {"loads", 1},
                                 {"fixedPairs", 1},
                                 {"localBytes", 1}});
        all.units.push_back({"fetches", "", 1e12, 4, false, false});
        for (const GeometryKind& kind : geometryKinds())
            for (const Method* method : methodsFor(kind.example))
                for (const int slices : method->slicesPerPass) {
                    KernelWork one;
                    one.kernel.method = method->id;
                    one.kernel.slicesPerPass = slices;
                    one.isCone = std::holds_alternative<ConeBeam>(kind.example);
                    one.device.backend = method->backend->id;
                    one.instructionSet = processorTarget();
                    const bool hasLimit = !method->backend->limitsOf(one, all).empty();
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
        QCOMPARE(peaks.of(cpuBackend).size(), std::size_t(1));
        QCOMPARE(peaks.of(cpuBackend).front().name, processorTarget());
        QVERIFY(peaks.of(cudaBackend).empty());
        for (const BenchmarkRow& one : rows) {
            QVERIFY(one.limits.empty() == cpuBackend.limitsOf(workOf(one), peaks.of(cpuBackend).front()).empty());
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
        QCOMPARE(peaks.of(cpuBackend).size(), std::size_t(1));
        BenchmarkRow same;
        same.method = "cpu";
        same.device = "cpu";
        same.instructionSet = processorTarget();
        same.threads = 1;
        const std::vector<Limit> ofRow = limitsOf(workOf(same), peaks);
        QCOMPARE(limits.size(), ofRow.size());
        QVERIFY(limits.empty() || limits.front().gups == ofRow.front().gups);
        QCOMPARE(peaks.of(cpuBackend).size(), std::size_t(1)); // not measured again
    }

    // A row of the processor has the processor's remarks, as an image has.
    void remarksOfRows()
    {
        BenchmarkRow row;
        row.method = "cpu";
        row.device = "cpu";
        QVERIFY(!limitsRemark(workOf(row)).empty());
        QCOMPARE(limitsRemark(workOf(row)), limitsRemark(work("cpu", Interpolation::linear, Precision::single, 1)));
    }

    void withoutOpenCl()
    {
        BenchmarkRow onMissing;
        onMissing.method = "alu-opencl";
        onMissing.device = "opencl:99";
        std::vector<BenchmarkRow> rows{onMissing};
        QVERIFY(addLimits(rows).of(openClBackend).empty()); // and no exception
        QVERIFY(rows.front().limits.empty());
    }

    void withoutGpu()
    {
        if (!cudaBackend.devices().devices.empty())
            QSKIP("there is a GPU");
        BenchmarkRow onGpu;
        onGpu.method = "alu";
        onGpu.device = "cuda";
        std::vector<BenchmarkRow> rows{onGpu};
        QVERIFY(addLimits(rows).of(cudaBackend).empty()); // and no exception
        QVERIFY(rows.front().limits.empty());
    }
};

SINOSCOPE_TEST(LimitsTest, QCoreApplication)
#include "limits_test.moc"
