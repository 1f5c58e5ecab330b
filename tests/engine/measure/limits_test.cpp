// SPDX-License-Identifier: GPL-3.0-or-later
// The limits of a kernel: rates of units over operations per update.
#include "engine/backends/cpu/parallel/kernels.h"
#include "engine/backends/cuda/parallel/tuning.h"
#include "engine/backends/devices.h"
#include "engine/backends/support.h"
#include "engine/base/error.h"
#include "engine/measure/benchmark.h"
#include "engine/measure/limits.h"
#include "engine/reconstruct/reconstruct.h"
#include "tests/fixtures.h"

#include <algorithm>
#include <cmath>
#include <thread>
#include <utility>

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

    // Rates like those of an H200 at 1.98 GHz.
    static DeviceRates gpuRates()
    {
        return rates({{"texels", 1045},
                      {"sharedBytes", 33.4e3},
                      {"cacheLines", 264},
                      {"multiplyAdds", 33.4e3},
                      {"integers", 16.7e3},
                      {"conversions", 4180},
                      {"tensorProducts", 174}});
    }

    static Limit lowestOnGpu(const KernelWork& of, const std::string& unit = {})
    {
        for (const Limit& limit : cudaBackend.limitsOf(of, gpuRates()))
            if (unit.empty() || limit.unit == unit)
                return limit;
        return {};
    }

    static KernelWork variantOf(const char* variant, KernelWork one, bool isCone = false)
    {
        one.kernel.variant = variant;
        one.isCone = isCone;
        return one;
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
        for (const char* other : {"exact", "double"}) // not counted
            QVERIFY(cpuBackend.limitsOf(work(other, Interpolation::linear, Precision::single, 1), core).empty());
        const KernelWork ladder = work("ladder", Interpolation::linear, Precision::single, 8);
        const DeviceRates gathers = rates({{"gathers", 4}});
        QCOMPARE(cpuBackend.limitsOf(variantOf("share", ladder, true), gathers).front().gups, 1.0);
        QCOMPARE(cpuBackend.limitsOf(variantOf("subline", ladder, true), gathers).front().gups, 2.0);
        QVERIFY(cpuBackend.limitsOf(variantOf("scalar", ladder, true), gathers).empty());
        // 29 other instructions of a vector, which has half as many updates as a multiply-add has floats.
        const DeviceRates both = rates({{"gathers", 4}, {"multiplyAdds", 58}});
        QCOMPARE(cpuBackend.limitsOf(variantOf("share", ladder, true), both).front().gups, 1 / (4 / 4.0 + 58 / 58.0));
    }

    void gpu()
    {
        const auto texture = lowestOnGpu(work("texture", Interpolation::linear, Precision::half, 4)); // a fetch for 4
        QCOMPARE(texture.unit, std::string("texture units"));
        QCOMPARE(texture.gups, 4180.0);
        QCOMPARE(lowestOnGpu(work("texture", Interpolation::linear, Precision::single, 4)).gups, 1045.0);
        const auto alu = lowestOnGpu(work("alu", Interpolation::linear, Precision::single, 1));
        QCOMPARE(alu.unit, std::string("shared memory"));
        QVERIFY(alu.perUpdate > 8 && alu.perUpdate < 8.5); // offset and slope, and a share of the stores
        QCOMPARE(alu.gups, 33.4e3 / alu.perUpdate);
        QCOMPARE(lowestOnGpu(work("alu", Interpolation::nearest, Precision::single, 1)).unit,
                 std::string("instructions"));
        const auto tensor = lowestOnGpu(work("tensor", Interpolation::linear, Precision::half, 32));
        QCOMPARE(tensor.gups, 174.0 * 256);
        QCOMPARE(lowestOnGpu(work("tensor", Interpolation::linear, Precision::single, 32)).gups, 174.0 * 256 / 3);
        const DeviceRates older = rates({{"texels", 1045}}); // below compute capability 8.0
        QVERIFY(cudaBackend.limitsOf(work("tensor", Interpolation::linear, Precision::half, 32), older).empty());
        const std::vector<Limit> sorted =
            cudaBackend.limitsOf(work("alu", Interpolation::linear, Precision::single, 1), gpuRates());
        QVERIFY(sorted.size() > 2 && std::ranges::is_sorted(sorted, {}, &Limit::gups));
    }

    // Variants name what they change in the counts (Chilingaryan et al. 2020, section 6.5).
    void variantsOnGpu()
    {
        const KernelWork linear = work("alu", Interpolation::linear, Precision::single, 1),
                         nearest = work("alu", Interpolation::nearest, Precision::single, 1);
        const Limit conversions = lowestOnGpu(variantOf("conversion", nearest));
        QCOMPARE(conversions.unit, std::string("conversions")); // one of each update
        QVERIFY(std::abs(conversions.perUpdate - 1) < 0.02);
        QVERIFY(lowestOnGpu(nearest, "conversions").perUpdate < 0.02);
        QVERIFY(lowestOnGpu(variantOf("float-address", linear), "instructions").perUpdate >
                lowestOnGpu(linear, "instructions").perUpdate + 1);
        QVERIFY(lowestOnGpu(variantOf("small-tile", linear), "shared memory").perUpdate >
                lowestOnGpu(linear, "shared memory").perUpdate); // more bins are stored for fewer pixels
        const KernelWork half = work("alu", Interpolation::linear, Precision::half, 4);
        QVERIFY(lowestOnGpu(half, "shared memory").perUpdate < 4.5);
        QVERIFY(lowestOnGpu(variantOf("slopes", half), "shared memory").perUpdate > 8);
        for (const char* steps : {"z-order", "four-projections", "shuffle-reduction", "shared-constants"})
            QCOMPARE(lowestOnGpu(variantOf(steps, work("texture", Interpolation::linear, Precision::single, 2))).gups,
                     2 * 1045.0);
    }

    // Four values of an update are fetched or loaded.
    void conesOnGpu()
    {
        const KernelWork shuffle = work("shuffle", Interpolation::linear, Precision::single, 1);
        for (const char* fetching : {"rtk-32", "bp-tex", "tex-tran"}) {
            const Limit limit = lowestOnGpu(variantOf(fetching, shuffle, true));
            QCOMPARE(limit.unit, std::string("texture units"));
            QCOMPARE(limit.gups, 1045.0 / 4);
        }
        const Limit lines = lowestOnGpu(variantOf("bp-l1", shuffle, true));
        QCOMPARE(lines.unit, std::string("first-level cache"));
        QCOMPARE(lines.gups, 264.0 / 4);
        QCOMPARE(lowestOnGpu(variantOf("l1-tran", shuffle, true)).unit, std::string("instructions"));
        QCOMPARE(lowestOnGpu(variantOf("l1-tran", shuffle, true), lines.unit).gups, 16 * lines.gups);
        QCOMPARE(lowestOnGpu(variantOf("", shuffle, true)).gups, lowestOnGpu(variantOf("l1-tran", shuffle, true)).gups);
        const KernelWork texture = work("texture", Interpolation::linear, Precision::single, 8);
        QCOMPARE(lowestOnGpu(variantOf("single", texture, true)).gups, 1045.0);
        QCOMPARE(lowestOnGpu(variantOf("mirrored", texture, true)).gups, 2 * 1045.0);
        QCOMPARE(lowestOnGpu(variantOf("", texture, true)).gups, 2 * 1045.0);
        QCOMPARE(lowestOnGpu(variantOf("fourfold", texture, true)).gups, 1045.0);
        const KernelWork standard = work("standard", Interpolation::linear, Precision::single, 1);
        QCOMPARE(lowestOnGpu(variantOf("", standard, true), "texture units").gups, 1045.0);
    }

    // Each unit has its share of the blocks.
    void hybridOnGpu()
    {
        const KernelWork hybrid = work("hybrid", Interpolation::linear, Precision::single, 2);
        const KernelWork alu = work("alu", Interpolation::linear, Precision::single, 2);
        const Limit bytes = lowestOnGpu(variantOf("square-tile", alu), "shared memory"); // whose tile it has
        QCOMPARE(lowestOnGpu(variantOf("8/8", hybrid)).gups, 2 * 1045.0);
        QCOMPARE(lowestOnGpu(variantOf("8/8", hybrid), "shared memory").gups, 0.0);
        QCOMPARE(lowestOnGpu(variantOf("0/8", hybrid), "shared memory").gups, bytes.gups);
        QCOMPARE(lowestOnGpu(variantOf("0/8", hybrid), "texture units").gups, 0.0);
        QCOMPARE(lowestOnGpu(variantOf("4/8", hybrid), "texture units").gups, 4 * 1045.0);
        QCOMPARE(lowestOnGpu(variantOf("6/8", hybrid), "shared memory").gups, 4 * bytes.gups);
        QCOMPARE(lowestOnGpu(variantOf("8/8", work("hybrid", Interpolation::oversampled, Precision::single, 2))).gups,
                 2 * 1045.0);
        QVERIFY(!lowestOnGpu(hybrid).unit.empty()); // of the share that is chosen without a variant
    }

    // Every variant of the papers' methods for NVIDIA GPUs is counted, for each setting that it has.
    void everyVariantIsCounted()
    {
        for (const auto& [geometry, ids] :
             {std::pair<Geometry, std::vector<const char*>>{ParallelBeam(), {"standard", "texture", "hybrid", "alu"}},
              {ConeBeam(), {"standard", "texture", "shuffle"}}})
            for (const char* id : ids) {
                const Method& method = *findMethod(id, geometry);
                std::vector<std::string> variants{""};
                for (const Variant& variant : variantsOf(method))
                    variants.push_back(variant.id);
                for (const std::string& variant : variants)
                    for (const int slices : method.slicesPerPass)
                        for (const auto interpolation : {Interpolation::linear, Interpolation::nearest})
                            for (const auto precision : {Precision::single, Precision::half}) {
                                const KernelWork one =
                                    variantOf(variant.c_str(), work(id, interpolation, precision, slices),
                                              method.takes(ConeBeam()));
                                if (std::string(id) == "alu" && !variant.empty() &&
                                    !cuda::hasAluVariant(cuda::aluMode(interpolation), precision, slices,
                                                         cuda::aluVariantFromText(variant), true))
                                    continue;
                                const std::string name = id + (' ' + variant) + ' ' + std::to_string(slices) + ' ' +
                                                         toText(interpolation) + ' ' + toText(precision);
                                QVERIFY2(!lowestOnGpu(one).unit.empty(), name.c_str());
                                if (variant != "8/8" && !(method.takes(ConeBeam()) && variant.empty()))
                                    QVERIFY2(lowestOnGpu(one, "instructions").gups > 0, name.c_str());
                            }
            }
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
        const KernelWork hybrid = work("hybrid-opencl", Interpolation::linear, Precision::single, 1);
        QCOMPARE(lowest(variantOf("8/8", hybrid)).gups, 800.0);
        QCOMPARE(lowest(variantOf("4/8", hybrid)).gups, 1600.0);
        QCOMPARE(lowest(variantOf("0/8", hybrid)).gups, 3750.0);
        QCOMPARE(lowest(variantOf("values", work("alu-opencl", Interpolation::linear, Precision::half, 4))).gups,
                 3750.0);
        QCOMPARE(lowest(variantOf("z-order", work("texture-opencl", Interpolation::linear, Precision::single, 1))).gups,
                 800.0);
        KernelWork cone = work("texture-opencl", Interpolation::linear, Precision::half, 8);
        cone.isCone = true;
        QCOMPARE(lowest(cone).gups, 1600.0);
        QCOMPARE(lowest(variantOf("single", cone, true)).gups, 400.0); // no image of one half: those of four
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
                QVERIFY(one.kernelGups > 0 && one.limits.front().gups > 0); // other work slows one or the other
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
