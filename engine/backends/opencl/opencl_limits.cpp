// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/opencl/methods.h"

namespace engine
{

namespace
{

// Operations of an update, as in OpenClPeaks; 0: none, or not counted.
struct OpenClOperations {
    double multiplyAdds = 0, fetches = 0, localBytes = 0;
    int valuesPerTexel = 1; // of a fetch
};

// Additions, multiplications and fused multiply-adds of an update of `alu-opencl`, as its source has them: position,
// rounding and address, which all slices share, and the interpolation of each slice.
double aluOpenClArithmetic(const Kernel& kernel)
{
    const int slices = kernel.slicesPerPass;
    switch (kernel.interpolation) {
    case Interpolation::linear: // of halves in pairs
        return kernel.precision == Precision::half && slices == 4 ? (4 + 1.5 * slices) / slices
                                                                  : (3 + 2.0 * slices) / slices;
    case Interpolation::cubic:
        return (5 + 4.0 * slices) / slices;
    default:
        return (3 + 1.0 * slices) / slices;
    }
}

OpenClOperations openClOperationsOf(const KernelWork& work)
{
    const Kernel& kernel = work.kernel;
    const std::string& method = kernel.method;
    const bool isPlain =
        kernel.interpolation == Interpolation::linear || kernel.interpolation == Interpolation::nearest;
    if (!kernel.variant.empty())
        return {};
    if (work.isCone && method == "texture-opencl" && isPlain) { // of symmetric geometries
        const int values = kernel.precision == Precision::half ? 4 : 2;
        return {.fetches = 1.0 / values, .valuesPerTexel = values};
    }
    if (!work.isCone && (method == "texture-opencl" || method == "standard-opencl") && isPlain)
        return {.fetches = 1.0 / kernel.slicesPerPass, .valuesPerTexel = kernel.slicesPerPass};
    if (!work.isCone && method == "alu-opencl")
        return {.multiplyAdds = aluOpenClArithmetic(kernel), .localBytes = cachedBytesOf(kernel)};
    return {};
}

} // namespace

std::vector<Limit> opencl::limitsOf(const KernelWork& work, const DeviceRates& device)
{
    const OpenClOperations counts = openClOperationsOf(work);
    const bool isNearest = work.kernel.interpolation == Interpolation::nearest;
    const double fetches =
        fetchesOf(device, counts.valuesPerTexel, work.kernel.precision == Precision::half, isNearest);
    return lowestFirst({{work.isOnGpu ? "texture units" : "image reads", fetches, counts.fetches},
                        {"local memory", device.of("localBytes"), counts.localBytes},
                        {"multiply-adds", device.of("multiplyAdds"), counts.multiplyAdds}});
}

} // namespace engine
