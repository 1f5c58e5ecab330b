// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/request/lengths.h"

#include <cmath>

namespace engine
{

VoxelPoint VoxelSides::times(const VoxelPoint& voxels) const
{
    return {voxels[0] * pixel, voxels[1] * pixel, voxels[2] * slice};
}

double VoxelSides::along(const VoxelPoint& unit) const
{
    const double ratio = slice / pixel; // of cubes: the length is exactly that of a pixel
    return pixel * std::sqrt(1 + (ratio * ratio - 1) * unit[2] * unit[2]);
}

VoxelSides voxelSidesOf(const Scan& scan)
{
    const std::optional<double> mm = scan.pixelSizeMm();
    VoxelSides sides{mm.value_or(1), mm.value_or(1), mm.has_value()};
    if (const auto* beam = std::get_if<ParallelBeam>(&scan.geometry))
        sides.slice /= beam->pixelBins;
    return sides;
}

PixelSides pixelSidesOf(const Request& request)
{
    const VoxelSides sides = voxelSidesOf(*request.scan);
    const Place& place = request.place;
    const double pixels = place.previewStep;
    if (!place.plane)
        return {pixels * sides.pixel, pixels * sides.pixel, sides.isInMm};
    const double voxels = pixels * place.plane->pixel;
    return {voxels * sides.along(place.plane->u), voxels * sides.along(place.plane->v), sides.isInMm};
}

} // namespace engine
