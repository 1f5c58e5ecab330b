// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/parallel/rays.h"

#include "engine/base/error.h"

#include <cmath>
#include <string>

namespace engine
{

Rays raysOf(const LaunchArguments& arguments, FilterPrecision precision)
{
    const SinogramView& data = arguments.sinograms;
    const ParallelBeam& beam = parallelBeamOf(arguments.geometry, "`" + arguments.kernel.method + "`");
    const VolumeGrid& grid = arguments.grid;
    const std::size_t count = beam.anglesRad.size();
    require(data.projections == beam.projections() && data.bins == beam.bins,
            "filtered sinograms of " + std::to_string(data.projections) + " projections and " +
                std::to_string(data.bins) + " bins don't fit a scan of " + std::to_string(beam.projections()) +
                " and " + std::to_string(beam.bins));
    require(beam.axisBins.size() == 1 || beam.axisBins.size() == count,
            std::to_string(beam.axisBins.size()) + " axis positions given for " + std::to_string(count) +
                " projections; give one, or one per projection");
    const bool wide = precision == FilterPrecision::float64;
    const std::size_t values = wide ? data.doubles.size() : data.floats.size();
    require((wide ? data.floats.size() : data.doubles.size()) == 0,
            "filtered sinograms are of the wrong precision for this method");
    require(values == static_cast<std::size_t>(data.slices) * count * data.bins,
            "filtered sinograms hold " + std::to_string(values) + " values, not slices × projections × bins");
    require(arguments.image.slices == data.slices && grid.slices == data.slices &&
                arguments.image.width == grid.width && arguments.image.height == grid.height &&
                arguments.image.values.size() == arguments.image.sliceSize() * data.slices,
            "the image doesn't have the size of its slice grid");

    Rays rays;
    for (std::size_t p = 0; p < count; ++p) {
        const double angle = beam.anglesRad[p];
        const double axis = beam.axisBins[beam.axisBins.size() == 1 ? 0 : p];
        require(std::isfinite(angle) && std::isfinite(axis),
                "angle or axis of projection " + std::to_string(p) + " is not a finite number");
        rays.cosine.push_back(std::cos(angle));
        rays.sine.push_back(std::sin(angle));
        rays.axisBins.push_back(axis);
    }
    return rays;
}

void rowPositions(const Rays& rays, int projection, const SliceGrid& grid, int firstRow, std::span<double> positions)
{
    const double sine = rays.sine[projection], axis = rays.axisBins[projection];
    for (std::size_t k = 0; k < positions.size(); ++k)
        positions[k] = axis + grid.y(firstRow + static_cast<int>(k)) * sine;
}

void columnOffsets(const Rays& rays, int projection, const SliceGrid& grid, int firstColumn, std::span<double> offsets)
{
    const double cosine = rays.cosine[projection];
    for (std::size_t k = 0; k < offsets.size(); ++k)
        offsets[k] = grid.x(firstColumn + static_cast<int>(k)) * cosine;
}

} // namespace engine
