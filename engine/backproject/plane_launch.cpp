// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backproject/plane_launch.h"

namespace engine
{

std::optional<std::string> planeLimits(const Method& method, const Request& request)
{
    const Kernel& kernel = request.setting.kernel;
    if (kernel.interpolation != Interpolation::linear && kernel.interpolation != Interpolation::nearest)
        return "turned planes, and planes between voxels, are interpolated nearest or linear, not " +
               toText(kernel.interpolation) + "; choose linear";
    if (kernel.precision != Precision::single && method.device != DeviceSettings::Kind::cuda)
        return "`" + std::string(method.id) +
               "` reconstructs turned planes, and planes between voxels, in float precision only; choose float";
    return std::nullopt;
}

} // namespace engine
