// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/measure/limits.h"

#include "engine/backproject/parallel/cpu/kernels.h"
#include "engine/base/error.h"
#include "engine/request/setting.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <thread>

namespace engine
{

namespace
{

constexpr int fewestInLanes = 8; // slices per pass from which `cpu` puts slices into the lanes of vectors

// Operations of an update; 0: none, or not counted.
struct Operations {
    double texels = 0, sharedBytes = 0, instructions = 0, tensorProducts = 0; // as GpuPeaks
    double multiplyAdds = 0, shuffles = 0, loads = 0, fixedPairs = 0;         // as ProcessorPeaks
};

int samplesOf(Interpolation interpolation)
{
    return interpolation == Interpolation::cubic ? 4 : interpolation == Interpolation::linear ? 2 : 1;
}

// One slice: the bins lie in registers, from which two are picked for linear interpolation. Many slices: the lanes of
// a vector are slices; halves are read as pairs of neighbouring bins and multiplied by pairs of weights.
Operations onProcessor(const BenchmarkRow& row)
{
    const bool isCubic = row.interpolation == Interpolation::cubic;
    const double samples = samplesOf(row.interpolation);
    if (row.slicesPerPass < fewestInLanes) {
        if (!row.instructionSet.starts_with("AVX")) // others have no shuffle that is wide enough
            return {};
        return {.multiplyAdds = isCubic ? 4.0 : 1.0, .shuffles = samples};
    }
    // Oversampled is linear at the nearest position there.
    const double read = row.interpolation == Interpolation::oversampled ? 2 : samples;
    if (row.precision == Precision::half)
        return isCubic ? Operations{} : Operations{.loads = 1, .fixedPairs = 1};
    return {.multiplyAdds = read, .loads = read};
}

// Instructions of a thread per update of `alu`, counted with ncu (tests/bench/results/h200-limits.md); 0: not counted.
double aluInstructions(const BenchmarkRow& row)
{
    struct Counted {
        Interpolation interpolation;
        Precision precision;
        int slices;
        double instructions;
    };
    static constexpr Counted counted[] = {{Interpolation::linear, Precision::single, 1, 6.8},
                                          {Interpolation::linear, Precision::single, 2, 4.5},
                                          {Interpolation::linear, Precision::half, 4, 4.7},
                                          {Interpolation::nearest, Precision::single, 1, 6.0},
                                          {Interpolation::nearest, Precision::single, 2, 3.5},
                                          {Interpolation::oversampled, Precision::single, 1, 5.9},
                                          {Interpolation::oversampled, Precision::single, 2, 4.1},
                                          {Interpolation::oversampled, Precision::single, 4, 3.5}};
    for (const Counted& one : counted)
        if (one.interpolation == row.interpolation && one.precision == row.precision && one.slices == row.slicesPerPass)
            return one.instructions;
    return 0;
}

// Bytes that `alu` reads from shared memory per update: each sample by itself, cubic four of them. Halves lie there as
// floats, except those of four slices.
double aluSharedBytes(const BenchmarkRow& row)
{
    return samplesOf(row.interpolation) * (row.precision == Precision::half && row.slicesPerPass == 4 ? 2.0 : 4.0);
}

// Texels of one channel that cost as much as a fetch of all slices: four floats are filtered in four turns.
double texelsPerFetch(const BenchmarkRow& row)
{
    const bool isFourFloats = row.slicesPerPass == 4 && row.precision == Precision::single;
    return !isFourFloats ? 1 : row.interpolation == Interpolation::nearest ? 2 : 4;
}

Operations onGpu(const BenchmarkRow& row)
{
    const bool isCone = row.alpha > 0, isHalf = row.precision == Precision::half;
    const bool isPlain = row.interpolation == Interpolation::nearest || row.interpolation == Interpolation::linear;
    if (isCone) { // several slices: rows v and −v share a fetch; of halves also projections β and β + π
        if (row.method != "texture" || !row.variant.empty())
            return {};
        return {.texels = row.slicesPerPass == 1 ? 1 : isHalf ? 0.25 : 0.5};
    }
    if ((row.method == "texture" || row.method == "standard") && isPlain && row.variant.empty())
        return {.texels = texelsPerFetch(row) / row.slicesPerPass};
    if (row.method == "alu" && row.variant.empty())
        return {.sharedBytes = aluSharedBytes(row), .instructions = aluInstructions(row)};
    if (row.method == "tensor" && isHalf && row.interpolation == Interpolation::linear)
        return {.tensorProducts = 1.0 / 256};
    return {};
}

struct Unit {
    const char* name;
    double perSecond, perUpdate;
};

std::vector<Limit> lowestFirst(std::initializer_list<Unit> units)
{
    std::vector<Limit> limits;
    for (const Unit& unit : units)
        if (unit.perSecond > 0 && unit.perUpdate > 0)
            limits.push_back({unit.name, 1e-9 * unit.perSecond / unit.perUpdate});
    std::ranges::sort(limits, {}, &Limit::gups);
    return limits;
}

} // namespace

std::vector<Limit> limitsOf(const BenchmarkRow& row, const ProcessorPeaks& core)
{
    if (row.method != "cpu" || row.alpha > 0 || !row.variant.empty())
        return {};
    const Operations counts = onProcessor(row);
    const double perSecond = 1e9 * std::min(row.threads, static_cast<int>(std::thread::hardware_concurrency()));
    return lowestFirst({{"shuffles", perSecond * core.shuffles, counts.shuffles},
                        {"loads", perSecond * core.loads, counts.loads},
                        {"multiply-adds", perSecond * core.multiplyAdds, counts.multiplyAdds},
                        {"16-bit products", perSecond * core.fixedPairs, counts.fixedPairs}});
}

std::vector<Limit> limitsOf(const BenchmarkRow& row, const GpuPeaks& gpu)
{
    const Operations counts = onGpu(row);
    return lowestFirst({{"texture units", gpu.texels, counts.texels},
                        {"shared memory", gpu.sharedBytes, counts.sharedBytes},
                        {"instructions", gpu.instructions, counts.instructions},
                        {"tensor cores", gpu.tensorProducts, counts.tensorProducts}});
}

MachinePeaks addLimits(std::vector<BenchmarkRow>& rows)
{
    MachinePeaks peaks;
    for (BenchmarkRow& row : rows) {
        const DeviceSettings device = deviceFromText(row.device);
        if (device.kind == DeviceSettings::Kind::cuda) {
            const auto [gpu, isNew] = peaks.gpus.try_emplace(row.device);
            try {
                if (isNew)
                    gpu->second = gpuPeaks(device.index);
            } catch (const Error&) { // the rows are worth showing without its limits
            }
            row.limits = limitsOf(row, gpu->second);
        } else if (!row.instructionSet.empty()) {
            auto core = std::ranges::find(peaks.cores, row.instructionSet, &ProcessorPeaks::instructionSet);
            if (core == peaks.cores.end()) {
                const ForcedTarget forced(row.instructionSet);
                core = peaks.cores.insert(core, processorPeaks());
            }
            row.limits = limitsOf(row, *core);
        }
    }
    std::erase_if(peaks.gpus, [](const auto& each) { return each.second.texels == 0; }); // not measured
    return peaks;
}

std::string limiterText(double gups, const std::vector<Limit>& limits)
{
    if (limits.empty())
        return {};
    return std::to_string(std::lround(100 * gups / limits.front().gups)) + " % of " + limits.front().unit;
}

} // namespace engine
