// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/cone/views.h"

#include "engine/backends/parallel/limits.h"
#include "engine/base/error.h"

#include <algorithm>
#include <cmath>

namespace engine
{

namespace
{

void requireFitting(const LaunchArguments& arguments, const ConeBeam& beam, FilterPrecision precision)
{
    const SinogramView& data = arguments.sinograms;
    const std::size_t count = data.slices * data.sliceSize();
    const bool wide = precision == FilterPrecision::float64;
    const bool shapeAlone = arguments.preparation != nullptr;
    require(shapeAlone || (wide ? data.doubles.size() : data.floats.size()) == count,
            "the launch has " + std::to_string(data.floats.size() + data.doubles.size()) + " filtered values for " +
                std::to_string(count));
    require(data.projections == beam.projections(), "the launch has " + std::to_string(data.projections) +
                                                        " projections for " + std::to_string(beam.projections()) +
                                                        " angles");
    require(data.bins == beam.bins && arguments.firstRow >= 0 && data.slices >= 1 &&
                arguments.firstRow + data.slices <= beam.rows,
            "the launch has rows that the detector doesn't have");
    require(!beam.isCircle() || beam.axisBins.size() == 1 || beam.axisBins.size() == beam.anglesRad.size(),
            "the launch has " + std::to_string(beam.axisBins.size()) + " axis positions for " +
                std::to_string(beam.projections()) + " projections");
    const Volume& image = arguments.image;
    require(image.slices >= 1 && image.slices <= arguments.grid.slices && image.height == arguments.grid.height &&
                image.width == arguments.grid.width,
            "the launch's image doesn't fit its grid");
}

} // namespace

std::vector<ProjectionMatrix> viewsOf(const LaunchArguments& arguments, FilterPrecision precision)
{
    const ConeBeam& beam = coneBeamOf(arguments.geometry, "a cone-beam method");
    requireFitting(arguments, beam, precision);
    return viewsOf(beam, arguments.grid, arguments.firstRow);
}

std::vector<ProjectionMatrix> viewsOf(const ConeBeam& beam, const VolumeGrid& grid, int firstRow)
{
    const double mm = beam.volume.voxelMm;
    std::vector<ProjectionMatrix> views = projectionMatrices(beam);
    for (ProjectionMatrix& m : views) {
        for (int i = 0; i < 3; ++i)
            m[4 + i] -= firstRow * m[8 + i];
        m[7] -= firstRow * m[11];
        // x = x(0) + step·i, y = y(0) − step·j, z = z(0) − dz·k, in voxels.
        const double x = grid.x(0), y = grid.y(0), z = beam.volume.heightOf(grid.z0);
        for (int row = 0; row < 3; ++row) {
            double* v = m.data() + 4 * row;
            v[3] += mm * (v[0] * x + v[1] * y + v[2] * z);
            v[0] *= mm * grid.step;
            v[1] *= -mm * grid.step;
            v[2] *= -mm * grid.dz;
        }
        if (beam.rows == 1) // a fan beam: its voxels lie in the plane of the source
            m[4] = m[5] = m[6] = m[7] = 0;
    }
    return views;
}

Meeting meetingOf(const ProjectionMatrix& m, int i, int j, int k)
{
    const double w = m[8] * i + m[9] * j + m[10] * k + m[11];
    return {(m[0] * i + m[1] * j + m[2] * k + m[3]) / w, (m[4] * i + m[5] * j + m[6] * k + m[7]) / w, w};
}

bool haveUprightColumns(const std::vector<ProjectionMatrix>& views)
{
    return std::ranges::all_of(views, [](const ProjectionMatrix& m) { return m[2] == 0 && m[10] == 0; });
}

bool areMirrored(const std::vector<ProjectionMatrix>& views, int slices, int rows)
{
    // Mirrored if (r·w)(k) + (r·w)(K−1−k) = (R−1)·w for all i, j: compares coefficients.
    const auto mirrored = [=](const ProjectionMatrix& m) {
        const double size = (std::abs(m[7]) + (rows - 1) * std::abs(m[11])) * 1e-12;
        return std::abs(2 * m[7] + (slices - 1) * m[6] - (rows - 1) * m[11]) <= size &&
               std::abs(2 * m[4] - (rows - 1) * m[8]) <= size && std::abs(2 * m[5] - (rows - 1) * m[9]) <= size;
    };
    return haveUprightColumns(views) && std::ranges::all_of(views, mirrored);
}

bool mayBeMirrored(const Request& request)
{
    const auto* beam = std::get_if<ConeBeam>(&request.scan->geometry);
    const RowRange slices = request.place.pairsOf().value_or(request.place.slices());
    return beam && beam->isCircle() && beam->tiltRad == 0 && beam->rollRad == 0 &&
           std::abs(beam->centralRow - beam->middleRow()) < 1e-9 &&
           beam->volume.slices == 2 * slices.first + slices.count && beam->volume.centreMm == 0;
}

std::optional<std::string> coneLimits(const Method& method, const Request& request)
{
    const Kernel& kernel = request.setting.kernel;
    if (kernel.interpolation != Interpolation::nearest && kernel.interpolation != Interpolation::linear)
        return "cone beams are interpolated nearest or linear, between both bins and rows, not " +
               toText(kernel.interpolation);
    return kernelLimits(method.id, method.slicesPerPass, request);
}

} // namespace engine
