// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/plane/plane_views.h"

#include "engine/backends/cone/views.h"
#include "engine/base/error.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace engine
{

namespace
{

// A row of a projection matrix for voxels (column, row, slice of the launch's grid, 1).
using Row = std::array<double, 4>;

Affine along(const Plane& plane, const Row& row, double firstSlice)
{
    const auto product = [&](const VoxelPoint& a) { return row[0] * a[0] + row[1] * a[1] + row[2] * a[2]; };
    return {product(plane.centre) - row[2] * firstSlice + row[3], plane.pixel * product(plane.u),
            plane.pixel * product(plane.v)};
}

std::vector<PlaneView> parallelViews(const ParallelBeam& beam, const LaunchArguments& arguments)
{
    const VolumeGrid& grid = arguments.grid;
    std::vector<PlaneView> views;
    for (std::size_t p = 0; p < beam.anglesRad.size(); ++p) {
        const double cosine = std::cos(beam.anglesRad[p]), sine = std::sin(beam.anglesRad[p]);
        const double axis = beam.axisBins[beam.axisBins.size() == 1 ? 0 : p];
        require(std::isfinite(cosine) && std::isfinite(axis),
                "angle or axis of projection " + std::to_string(p) + " is not a finite number");
        const Row h{grid.step * cosine, -grid.step * sine, 0, axis + grid.x(0) * cosine + grid.y(0) * sine};
        views.push_back({along(*arguments.plane, h, 0), along(*arguments.plane, {0, 0, 1, 0}, 0)});
    }
    return views;
}

std::vector<PlaneView> coneViews(const ConeBeam& beam, const LaunchArguments& arguments)
{
    std::vector<PlaneView> views;
    for (const ProjectionMatrix& m : viewsOf(beam, arguments.grid, 0)) {
        const auto row = [&](int k) {
            return along(*arguments.plane, {m[4 * k], m[4 * k + 1], m[4 * k + 2], m[4 * k + 3]}, arguments.grid.z0);
        };
        views.push_back({row(0), row(1), row(2)});
    }
    return views;
}

} // namespace

std::vector<PlaneView> planeViewsOf(const LaunchArguments& arguments)
{
    const Plane& plane = *arguments.plane;
    std::vector<PlaneView> views = wholePlaneViewsOf(arguments);
    for (auto& [h, r, w] : views) {
        for (Affine* part : {&h, &r, &w})
            part->atMiddle += part->perColumn * plane.right + part->perRow * plane.down;
        r.atMiddle -= arguments.firstRow * w.atMiddle;
        r.perColumn -= arguments.firstRow * w.perColumn;
        r.perRow -= arguments.firstRow * w.perRow;
    }
    return views;
}

int detectorRowsOf(const LaunchArguments& arguments)
{
    const auto* cone = std::get_if<ConeBeam>(&arguments.geometry);
    const int rows = cone ? cone->rows : arguments.grid.slices; // of a parallel beam, slice k is row k
    return std::max(rows, arguments.firstRow + arguments.sinograms.slices);
}

std::vector<PlaneView> wholePlaneViewsOf(const LaunchArguments& arguments)
{
    const SinogramView& data = arguments.sinograms;
    const Plane& plane = *arguments.plane;
    const auto* cone = std::get_if<ConeBeam>(&arguments.geometry);
    const std::size_t values = data.slices * data.sliceSize();
    const bool isHeld = data.floats.empty() && data.doubles.empty(); // by the device
    require(isHeld || data.floats.size() == values || data.doubles.size() == values,
            "the launch has " + std::to_string(data.floats.size() + data.doubles.size()) + " filtered values for " +
                std::to_string(values));
    require(arguments.image.width == plane.width && arguments.image.height == plane.height &&
                arguments.image.slices == 1,
            "the launch's image doesn't fit its plane");
    std::vector<PlaneView> views =
        cone ? coneViews(*cone, arguments) : parallelViews(parallelBeamOf(arguments.geometry, "a plane"), arguments);
    require(data.projections == static_cast<int>(views.size()), "the launch has " + std::to_string(data.projections) +
                                                                    " projections for " + std::to_string(views.size()) +
                                                                    " angles");
    return views;
}

} // namespace engine
