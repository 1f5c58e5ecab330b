// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/request/section.h"

#include <cmath>
#include <numbers>
#include <utility>

namespace engine
{

namespace
{

VolumeGrid gridOf(const Request& request)
{
    const int size = request.scan->sliceSize();
    const Region region = request.place.region().value_or(Region{0, 0, size, size});
    const int step = request.place.previewStep;
    VolumeGrid grid;
    grid.size = size;
    if (const auto& plane = request.place.plane()) {
        grid.width = (plane->width + step - 1) / step;
        grid.height = (plane->height + step - 1) / step;
        grid.step = plane->pixel * step;
        grid.x0 = (size - 1) / 2.0 - grid.step * (grid.width - 1) / 2.0; // positions count from the plane's centre
        grid.y0 = (size - 1) / 2.0 - grid.step * (grid.height - 1) / 2.0;
        return grid;
    }
    if (const auto& slab = request.place.slab()) { // in coordinates that are turned with it
        const double middle = (size - 1) / 2.0, angle = slab->angleDeg * std::numbers::pi / 180;
        const double x = slab->column - middle, y = middle - slab->row;
        grid.x0 = middle + x * std::cos(angle) + y * std::sin(angle) - (slab->width - step) / 2.0;
        grid.y0 = middle + x * std::sin(angle) - y * std::cos(angle) - (slab->thickness - step) / 2.0;
        grid.width = (slab->width + step - 1) / step;
        grid.height = (slab->thickness + step - 1) / step;
        grid.step = step;
        grid.z0 = request.place.slices().first;
        grid.slices = request.place.slices().count;
        return grid;
    }
    // A coarse pixel lies in the middle of the step × step pixels that it replaces.
    grid.x0 = region.column + (step - 1) / 2.0;
    grid.y0 = region.row + (step - 1) / 2.0;
    grid.width = (region.width + step - 1) / step;
    grid.height = (region.height + step - 1) / step;
    grid.step = step;
    const std::vector<RowRange> runs = runsOf(request.place);
    grid.z0 = runs.front().first;
    grid.slices = runs.back().first + runs.back().count - runs.front().first;
    return grid;
}

VolumeGrid neededGridOf(const Request& request)
{
    Request whole = request;
    Place& place = whole.place;
    place.previewStep = 1;
    if (const auto plane = place.plane()) {
        const VolumeSize volume = volumeOf(*request.scan);
        const PlaneSlices met = slicesOf(*plane, volume);
        place.part = Slices{place.othersFollow() ? RowRange{0, volume.slices} : RowRange{met.first, met.count}};
    }
    place.setRegion({});
    return gridOf(whole);
}

PixelSides pixelSidesOf(const Request& request, const VoxelSides& sides)
{
    const Place& place = request.place;
    const double pixels = place.previewStep;
    const auto plane = place.plane();
    if (!plane)
        return {pixels * sides.pixel, pixels * sides.pixel, sides.isInMm};
    const double voxels = pixels * plane->pixel;
    return {voxels * sides.along(plane->u), voxels * sides.along(plane->v), sides.isInMm};
}

} // namespace

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

Section sectionOf(const Request& request)
{
    const Place& place = request.place;
    const VolumeSize volume = volumeOf(*request.scan);
    Request all;
    all.scan = request.scan;
    all.place.setSlices({0, volume.slices});
    const VoxelSides voxel = voxelSidesOf(*request.scan);
    const auto plane = place.plane();
    const auto slab = place.slab();
    return {.grid = gridOf(request),
            .needed = neededGridOf(request),
            .volume = gridOf(all),
            .voxel = voxel,
            .pixel = pixelSidesOf(request, voxel),
            .turnRad = slab ? slab->angleDeg * std::numbers::pi / 180 : 0,
            .isOfVoxels = plane && place.previewStep == 1 && boxOf(*plane, volume).has_value()};
}

} // namespace engine
