// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/cuda/cone/cone_variants.h"
#include "engine/backends/cuda/counted_operations.h"
#include "engine/backends/cuda/methods.h"
#include "engine/backends/cuda/parallel/tuning.h"
#include "engine/backends/parallel/hybrid_share.h"

#include <algorithm>
#include <string>

namespace engine
{

namespace
{

// Operations of an update; 0: none, or not counted.
struct CudaOperations {
    double fetches = 0, lines = 0; // lines: of the first-level cache
    int channels = 1;              // values per texel
    double sharedBytes = 0, instructions = 0, integers = 0, conversions = 0, tensorProducts = 0;
};

// Returns the turns of a texture unit that a fetch takes: texels of 8 bytes take as long as smaller ones, and those of
// 16 bytes two turns, or four with interpolation (tests/bench/results/h200-limits.md).
double turnsPerFetch(int channels, bool isHalf, bool isPoint)
{
    return channels < 4 || isHalf ? 1 : isPoint ? 2 : 4;
}

// Returns the row of a kernel; nullptr if it isn't counted.
const cuda::CountedKernel* countedKernel(const Kernel& kernel, bool isCone, const std::string& variant)
{
    const auto isIt = [&](const cuda::CountedKernel& one) {
        return kernel.method == one.method && isCone == one.isCone && variant == one.variant &&
               one.interpolation.value_or(kernel.interpolation) == kernel.interpolation &&
               one.precision.value_or(kernel.precision) == kernel.precision &&
               one.slicesPerPass == kernel.slicesPerPass;
    };
    const auto found = std::ranges::find_if(cuda::countedKernels, isIt);
    return found == std::end(cuda::countedKernels) ? nullptr : &*found;
}

// Sets what is counted in the machine code.
void addCounted(CudaOperations& counts, const cuda::CountedKernel* counted)
{
    if (!counted)
        return;
    counts.instructions = counted->instructions;
    counts.integers = counted->integers;
    counts.conversions = counted->conversions;
    counts.sharedBytes = counted->sharedBytes;
}

// The method `texture` fetches once for the voxels of a column's mirror images: rows v and −v, of halves also those of
// projections β and β + π. `shuffle` interpolates between four values, which it fetches, or loads: with lanes along
// rows that are as far apart as voxels, each value lies in a line of its own.
CudaOperations coneOperationsOf(const Kernel& kernel)
{
    const bool isHalf = kernel.precision == Precision::half;
    std::string variant = kernel.variant;
    CudaOperations counts;
    if (kernel.method == "texture") {
        if (variant.empty())
            variant = isHalf ? cuda::fourfoldVariant : cuda::mirroredVariant;
        counts.channels = variant == cuda::fourfoldVariant ? 4 : variant == cuda::mirroredVariant ? 2 : 1;
        counts.fetches = 1.0 / counts.channels;
    } else if (kernel.method == "standard")
        counts.fetches = 1;
    else if (kernel.method == "shuffle") {
        if (variant.empty())
            variant = "l1-tran";
        const double values = kernel.interpolation == Interpolation::nearest ? 1 : 4;
        if (variant == "bp-l1")
            counts.lines = values;
        else if (variant == "l1-tran") // the lanes of a warp share two lines
            counts.lines = values * 2 / 32;
        else
            counts.fetches = values;
    }
    addCounted(counts, countedKernel(kernel, true, variant));
    return counts;
}

CudaOperations textureOperations(const Kernel& kernel)
{
    const bool isPlain =
        kernel.interpolation == Interpolation::linear || kernel.interpolation == Interpolation::nearest;
    if (!isPlain)
        return {};
    CudaOperations counts{.fetches = 1.0 / kernel.slicesPerPass, .channels = kernel.slicesPerPass};
    addCounted(counts, countedKernel(kernel, false, kernel.variant));
    return counts;
}

CudaOperations aluOperations(const Kernel& kernel)
{
    CudaOperations counts;
    addCounted(counts, countedKernel(kernel, false, kernel.variant));
    return counts;
}

// Of `hybrid` each unit has its share of the blocks.
CudaOperations hybridOperations(Kernel kernel)
{
    const int eighths = kernel.variant.empty()
                            ? cuda::tunedEighths(kernel.interpolation, kernel.precision, kernel.slicesPerPass)
                            : eighthsFromText(kernel.variant);
    const double share = eighths / 8.0;
    Kernel ofTexture = kernel;
    ofTexture.method = "texture";
    ofTexture.variant.clear();
    if (kernel.interpolation == Interpolation::oversampled) // rounds positions to those that the unit has exactly
        ofTexture.interpolation = Interpolation::linear;
    CudaOperations counts = textureOperations(ofTexture);
    kernel.method = "alu";
    kernel.variant = kernel.slicesPerPass < 4 ? "square-tile" : ""; // else the default has this tile
    const CudaOperations ofAlu = aluOperations(kernel);
    counts.fetches *= share;
    counts.sharedBytes = (1 - share) * ofAlu.sharedBytes;
    for (const auto member : {&CudaOperations::instructions, &CudaOperations::integers, &CudaOperations::conversions})
        counts.*member = share * counts.*member + (1 - share) * ofAlu.*member;
    return counts;
}

CudaOperations cudaOperationsOf(const KernelWork& work)
{
    const Kernel& kernel = work.kernel;
    if (work.isCone)
        return coneOperationsOf(kernel);
    if (kernel.method == "tensor" && kernel.interpolation == Interpolation::linear)
        return {.tensorProducts = (kernel.precision == Precision::half ? 1 : 3) / 256.0}; // floats: of two halves each
    if (kernel.method == "texture" || kernel.method == "standard")
        return textureOperations(kernel);
    return kernel.method == "hybrid" ? hybridOperations(kernel) : aluOperations(kernel);
}

} // namespace

std::vector<Limit> cuda::limitsOf(const KernelWork& work, const DeviceRates& gpu)
{
    const CudaOperations counts = cudaOperationsOf(work);
    const Kernel& kernel = work.kernel;
    const bool isPoint = kernel.interpolation == Interpolation::nearest || (work.isCone && kernel.method == "shuffle");
    const double fetches =
        counts.fetches * turnsPerFetch(counts.channels, kernel.precision == Precision::half, isPoint);
    return lowestFirst({{"texture units", gpu.of("texels"), fetches},
                        {"shared memory", gpu.of("sharedBytes"), counts.sharedBytes},
                        {"first-level cache", gpu.of("cacheLines"), counts.lines},
                        {"instructions", gpu.of("multiplyAdds"), counts.instructions},
                        {"shifts and integers", gpu.of("integers"), counts.integers},
                        {"conversions", gpu.of("conversions"), counts.conversions},
                        {"tensor cores", gpu.of("tensorProducts"), counts.tensorProducts}});
}

} // namespace engine
