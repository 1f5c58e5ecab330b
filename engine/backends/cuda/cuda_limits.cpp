// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/cuda/methods.h"

namespace engine
{

namespace
{

// Operations of an update, as in GpuPeaks; 0: none, or not counted.
struct CudaOperations {
    double texels = 0, sharedBytes = 0, instructions = 0, tensorProducts = 0;
};

// Instructions of a thread per update of `alu`, counted with ncu (tests/bench/results/h200-limits.md); 0: not counted.
double aluInstructions(const Kernel& kernel)
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
        if (one.interpolation == kernel.interpolation && one.precision == kernel.precision &&
            one.slices == kernel.slicesPerPass)
            return one.instructions;
    return 0;
}

// Texels of one channel that cost as much as a fetch of all slices: four floats are filtered in four turns.
double texelsPerFetch(const Kernel& kernel)
{
    const bool isFourFloats = kernel.slicesPerPass == 4 && kernel.precision == Precision::single;
    return !isFourFloats ? 1 : kernel.interpolation == Interpolation::nearest ? 2 : 4;
}

CudaOperations cudaOperationsOf(const KernelWork& work)
{
    const Kernel& kernel = work.kernel;
    const std::string& method = kernel.method;
    const bool isHalf = kernel.precision == Precision::half, isLinear = kernel.interpolation == Interpolation::linear;
    const bool isPlain = isLinear || kernel.interpolation == Interpolation::nearest;
    if (method == "tensor" && !work.isCone && isLinear) // floats: three products of two halves each
        return {.tensorProducts = (isHalf ? 1 : 3) / 256.0};
    if (!kernel.variant.empty())
        return {};
    if (work.isCone) // several slices: rows v and −v share a fetch; of halves also projections β and β + π
        return method != "texture"         ? CudaOperations{}
               : kernel.slicesPerPass == 1 ? CudaOperations{.texels = 1}
                                           : CudaOperations{.texels = isHalf ? 0.25 : 0.5};
    if ((method == "texture" || method == "standard") && isPlain)
        return {.texels = texelsPerFetch(kernel) / kernel.slicesPerPass};
    if (method == "alu")
        return {.sharedBytes = cachedBytesOf(kernel), .instructions = aluInstructions(kernel)};
    return {};
}

} // namespace

std::vector<Limit> cuda::limitsOf(const KernelWork& work, const DeviceRates& gpu)
{
    const CudaOperations counts = cudaOperationsOf(work);
    return lowestFirst({{"texture units", gpu.of("texels"), counts.texels},
                        {"shared memory", gpu.of("sharedBytes"), counts.sharedBytes},
                        {"instructions", gpu.of("multiplyAdds"), counts.instructions},
                        {"tensor cores", gpu.of("tensorProducts"), counts.tensorProducts}});
}

} // namespace engine
