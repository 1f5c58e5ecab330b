// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backproject/plane_launch.h"

namespace engine
{

std::optional<std::string> planeLimits(const Method& method, const Request& request)
{
    const Kernel& kernel = request.setting.kernel;
    if (kernel.interpolation != Interpolation::linear && kernel.interpolation != Interpolation::nearest)
        return "planes that are not made of voxels are interpolated nearest or linear, not " +
               toText(kernel.interpolation);
    if (kernel.precision != Precision::single && method.device != DeviceSettings::Kind::cuda)
        return "`" + std::string(method.id) +
               "` reconstructs planes that are not made of voxels from floats, not halves";
    return std::nullopt;
}

} // namespace engine
