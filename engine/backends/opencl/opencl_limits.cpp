// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/opencl/cone/cone_variants.h"
#include "engine/backends/opencl/methods.h"
#include "engine/backends/opencl/parallel/variants.h"

#include <algorithm>
#include <iterator>

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

// Returns the bytes that an update reads from local memory; a variant may hold floats where halves are the default.
double aluOpenClBytes(Kernel kernel)
{
    constexpr const char* ofFloats[] = {"values", "pairs", "differences", "slopes", "floats"};
    if (std::ranges::find(ofFloats, kernel.variant) != std::end(ofFloats))
        kernel.precision = Precision::single;
    return cachedBytesOf(kernel);
}

// Returns the voxels that a fetch serves, by default those of a symmetric geometry.
int valuesPerConeTexel(const Kernel& kernel)
{
    if (kernel.variant.empty())
        return kernel.precision == Precision::half ? 4 : 2;
    return kernel.variant == opencl::fourfoldTexels ? 4 : kernel.variant == opencl::mirroredTexels ? 2 : 1;
}

OpenClOperations openClOperationsOf(const KernelWork& work)
{
    const Kernel& kernel = work.kernel;
    const std::string& method = kernel.method;
    const bool isPlain =
        kernel.interpolation == Interpolation::linear || kernel.interpolation == Interpolation::nearest;
    if (work.isCone && method == "texture-opencl" && isPlain) {
        const int values = valuesPerConeTexel(kernel);
        return {.fetches = 1.0 / values, .valuesPerTexel = values};
    }
    const OpenClOperations ofTexture{.fetches = 1.0 / kernel.slicesPerPass, .valuesPerTexel = kernel.slicesPerPass},
        ofAlu{.multiplyAdds = aluOpenClArithmetic(kernel), .localBytes = aluOpenClBytes(kernel)};
    if (!work.isCone && (method == "texture-opencl" || method == "standard-opencl") && isPlain)
        return ofTexture;
    if (!work.isCone && method == "alu-opencl")
        return ofAlu;
    if (work.isCone || method != "hybrid-opencl")
        return {};
    const double share = opencl::textureEighths(kernel.variant, kernel.interpolation, kernel.slicesPerPass) /
                         8.0; // of the groups that use the texture path
    return {.multiplyAdds = (1 - share) * ofAlu.multiplyAdds,
            .fetches = share * ofTexture.fetches,
            .localBytes = (1 - share) * ofAlu.localBytes,
            .valuesPerTexel = ofTexture.valuesPerTexel};
}

// Returns the fetches per second of the smallest format that holds so many values; 0 if there is none.
double fetchesOf(const DeviceRates& rates, int values, bool half, bool nearest)
{
    for (const UnitRate& one : rates.units) // in the order of their channels
        if (one.channels >= values && one.half == half && one.nearest == nearest)
            return one.perSecond;
    return 0;
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
