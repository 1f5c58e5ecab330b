// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/cpu/cpu_limits.h"

#include "engine/backends/cpu/parallel/peaks.h"
#include "engine/backends/instruction_sets.h"

#include <algorithm>
#include <iterator>
#include <thread>

namespace engine
{

namespace
{

constexpr int fewestInLanes = 8; // slices per pass from which `cpu` puts slices into the lanes of vectors

// Operations of an update, as in ProcessorPeaks; 0: none, or not counted.
struct CpuOperations {
    double multiplyAdds = 0, shuffles = 0, loads = 0, gathers = 0, fixedPairs = 0;
    double betweenGathers = 0; // multiply-adds that take as long as the instructions between gathers
};

// The steps of `ladder` gather the four values of an update, or two of a column that was interpolated before. Gathers
// are microcode, beside which nothing else runs, so that the other instructions add to their time: as many as counted
// for a vector with AVX-512 (tests/bench/results/cpu-limits.md), which has half as many doubles as a multiply-add has
// floats. Plain code isn't counted.
CpuOperations ladderOperations(const std::string& variant)
{
    struct Counted {
        const char* variant;
        double gathers, others; // of an update; of a vector
    };
    static constexpr Counted counted[] = {{"scalar", 0, 0}, {"baseline", 4, 51}, {"transpose", 4, 51},
                                          {"share", 4, 29}, {"symmetry", 4, 29}, {"scratchpad", 4, 44}};
    const auto found = std::ranges::find_if(counted, [&](const Counted& one) { return variant == one.variant; });
    if (found == std::end(counted)) // a column
        return {.gathers = 2, .betweenGathers = 2 * 21};
    return {.gathers = found->gathers, .betweenGathers = 2 * found->others};
}

// One slice: the bins lie in registers, from which two are picked for linear interpolation. Many slices: the lanes of
// a vector are slices; halves are read as pairs of neighbouring bins and multiplied by pairs of weights.
CpuOperations cpuOperationsOf(const KernelWork& work)
{
    const Kernel& kernel = work.kernel;
    if (kernel.method == "ladder")
        return ladderOperations(kernel.variant);
    if (kernel.method != "cpu" || work.isCone || !kernel.variant.empty())
        return {};
    const bool isCubic = kernel.interpolation == Interpolation::cubic;
    const double samples = samplesOf(kernel.interpolation);
    if (kernel.slicesPerPass < fewestInLanes) {
        if (!work.instructionSet.starts_with("AVX")) // others have no shuffle that is wide enough
            return {};
        return {.multiplyAdds = isCubic ? 4.0 : 1.0, .shuffles = samples};
    }
    // Oversampled is linear at the nearest position there.
    const double read = kernel.interpolation == Interpolation::oversampled ? 2 : samples;
    if (kernel.precision == Precision::half)
        return isCubic ? CpuOperations{} : CpuOperations{.loads = 1, .fixedPairs = 1};
    return {.multiplyAdds = read, .loads = read};
}

} // namespace

DeviceRates cpu::ratesOf(const KernelWork& work)
{
    const ForcedTarget forced(work.instructionSet);
    const ProcessorPeaks core = processorPeaks();
    return {core.instructionSet,
            {{"multiplyAdds", "multiply-adds", 1e9 * core.multiplyAdds},
             {"shuffles", "shuffles", 1e9 * core.shuffles},
             {"loads", "loads", 1e9 * core.loads},
             {"gathers", "gathers", 1e9 * core.gathers},
             {"fixedPairs", "16-bit products (pairs)", 1e9 * core.fixedPairs}},
            core.shareOfEach};
}

std::vector<Limit> cpu::limitsOf(const KernelWork& work, const DeviceRates& core)
{
    const CpuOperations counts = cpuOperationsOf(work);
    const int cores = static_cast<int>(std::thread::hardware_concurrency());
    const double threads = work.threads > 0 ? std::min(work.threads, cores) : cores;
    const double busy = std::min(threads, cores * core.shareOfEach);
    const double multiplyAdds = core.of("multiplyAdds"),
                 between = multiplyAdds > 0 ? counts.betweenGathers * core.of("gathers") / multiplyAdds : 0;
    return lowestFirst(
        {{"shuffles", busy * core.of("shuffles"), counts.shuffles},
         {"loads", busy * core.of("loads"), counts.loads},
         {"gathers and other instructions", busy * core.of("gathers"), counts.gathers + between},
         {"multiply-adds", busy * core.of("multiplyAdds"), counts.multiplyAdds},
         {"16-bit products", busy * core.of("fixedPairs"), counts.fixedPairs}});
}

} // namespace engine
