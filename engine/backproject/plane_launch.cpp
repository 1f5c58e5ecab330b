// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backproject/plane_launch.h"

namespace engine
{

std::optional<std::string> planeLimits(const Request& request)
{
    const Kernel& kernel = request.setting.kernel;
    if (kernel.interpolation != Interpolation::linear && kernel.interpolation != Interpolation::nearest)
        return "planes that are not made of voxels are interpolated nearest or linear, not " +
               toText(kernel.interpolation);
    if (kernel.precision != Precision::single)
        return std::string("planes that are not made of voxels are reconstructed from floats, not halves");
    return std::nullopt;
}

} // namespace engine
