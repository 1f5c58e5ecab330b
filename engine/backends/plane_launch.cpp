// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/plane_launch.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace engine
{

namespace
{

// Moves a plane into the outer slice, if it lies beside this slice everywhere.
Plane heldInVolume(Plane plane, int slices)
{
    constexpr double level = 1e-9;
    if (slices == 1 || (std::abs(plane.u[2]) < level && std::abs(plane.v[2]) < level)) {
        plane.u[2] = plane.v[2] = 0;
        plane.centre[2] = std::clamp(plane.centre[2], 0.0, slices - 1.0);
    }
    return plane;
}

// Sets the pixels that lie more than half a slice above or below the volume to NaN.
void leaveGaps(const Plane& plane, int slices, Volume& image)
{
    constexpr double rounding = 1e-9;
    const double sign = plane.u[2] < 0 ? -1 : 1, middle = (slices - 1) / 2.0, reach = slices / 2.0 + rounding;
    const int right = plane.width - 1, bottom = plane.height - 1;
    if (std::ranges::all_of(
            std::array{plane.at(0, 0), plane.at(right, 0), plane.at(0, bottom), plane.at(right, bottom)},
            [&](const VoxelPoint& corner) { return std::abs(corner[2] - middle) < reach; }))
        return;
    std::vector<int> columns(static_cast<std::size_t>(plane.width));
    std::iota(columns.begin(), columns.end(), 0);
    for (int j = 0; j < plane.height; ++j) {
        // Along a row, the distance from the middle slice grows.
        const auto firstFrom = [&](double distance) {
            const auto away = [&](int i) { return sign * (plane.at(i, j)[2] - middle); };
            return std::ranges::lower_bound(columns, distance, {}, away) - columns.begin();
        };
        float* row = image.values.data() + static_cast<std::size_t>(j) * plane.width;
        std::fill(row, row + firstFrom(-reach), std::numeric_limits<float>::quiet_NaN());
        std::fill(row + firstFrom(reach), row + plane.width, std::numeric_limits<float>::quiet_NaN());
    }
}

} // namespace

LaunchReport launchPlane(DeviceSession& session, const Method& method, const LaunchArguments& arguments)
{
    const int slices = arguments.grid.slices; // of the whole volume
    const Plane held = heldInVolume(*arguments.plane, slices);
    LaunchArguments inVolume = arguments;
    inVolume.plane = &held;
    const LaunchReport report = session.run(method, inVolume);
    leaveGaps(*arguments.plane, slices, arguments.image);
    return report;
}

std::optional<std::string> planeLimits(const Method& method, const Request& request)
{
    const Kernel& kernel = request.setting.kernel;
    if (kernel.interpolation != Interpolation::linear && kernel.interpolation != Interpolation::nearest)
        return "turned planes, and planes between voxels, are interpolated nearest or linear, not " +
               toText(kernel.interpolation) + "; choose linear";
    if (kernel.precision != Precision::single && !method.planesInHalf)
        return "`" + std::string(method.id) +
               "` reconstructs turned planes, and planes between voxels, in float precision only; choose float";
    return std::nullopt;
}

} // namespace engine
