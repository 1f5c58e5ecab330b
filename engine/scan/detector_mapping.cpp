// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scan/detector_mapping.h"

#include <algorithm>
#include <cmath>

namespace engine
{

namespace
{

// Converts a mapping of x and y to one of columns and rows of the slice: x = column − (size−1)/2, y = (size−1)/2 −
// row, in pixels of the slice.
ProjectionMatrix ofPixels(const std::array<double, 3>& perX, const std::array<double, 3>& perY,
                          const std::array<double, 3>& perSlice, const std::array<double, 3>& atMiddle, double size)
{
    const double middle = (size - 1) / 2;
    ProjectionMatrix made;
    for (std::size_t k = 0; k < 3; ++k) {
        made[4 * k] = perX[k];
        made[4 * k + 1] = -perY[k];
        made[4 * k + 2] = perSlice[k];
        made[4 * k + 3] = atMiddle[k] - middle * perX[k] + middle * perY[k];
    }
    return made;
}

std::vector<ProjectionMatrix> matricesOf(ParallelBeam beam)
{
    if (beam.axisBins.empty())
        beam = std::get<ParallelBeam>(withAxis(beam, beam.middleBins()));
    std::vector<ProjectionMatrix> made;
    for (std::size_t p = 0; p < beam.anglesRad.size(); ++p) {
        const double pixel = beam.pixelBins, angle = beam.anglesRad[p];
        const double axis = beam.axisBins[beam.axisBins.size() == 1 ? 0 : p];
        const double lower = beam.shiftRows.empty() ? 0 : beam.shiftRows[p];
        made.push_back(ofPixels({pixel * std::cos(angle), 0, 0}, {pixel * std::sin(angle), 0, 0}, {0, 1, 0},
                                {axis, lower, 1}, sliceSizeOf(beam)));
    }
    return made;
}

std::vector<ProjectionMatrix> matricesOf(ConeBeam beam)
{
    if (beam.isCircle() && beam.axisBins.empty())
        beam.axisBins = {beam.middleBins()};
    const double mm = beam.volume.voxelMm, top = beam.volume.heightOf(0);
    std::vector<ProjectionMatrix> made;
    for (const ProjectionMatrix& m : projectionMatrices(beam)) {
        const auto column = [&m](std::size_t k, double scale) {
            return std::array{m[k] * scale, m[4 + k] * scale, m[8 + k] * scale};
        };
        std::array<double, 3> atTop = column(3, 1);
        for (std::size_t k = 0; k < 3; ++k)
            atTop[k] += top * mm * m[4 * k + 2];
        made.push_back(ofPixels(column(0, mm), column(1, mm), column(2, -mm), atTop, beam.volume.size));
    }
    return made;
}

} // namespace

Sight::Sight(const Geometry& geometry) : m_size(sliceSizeOf(geometry))
{
    if (const auto* cone = std::get_if<ConeBeam>(&geometry))
        m_matrices = matricesOf(*cone);
    else
        m_matrices = matricesOf(parallelBeamOf(geometry, "mapping points of a slice to the detector"));
}

DetectorPlace Sight::placeOf(int projection, double column, double row, double slice) const
{
    const ProjectionMatrix& m = m_matrices[static_cast<std::size_t>(projection)];
    const auto at = [&](std::size_t k) { return m[k] * column + m[k + 1] * row + m[k + 2] * slice + m[k + 3]; };
    return {at(0) / at(8), at(4) / at(8)};
}

// Clips the line a·column + b·row + c = 0 to the slice.
std::optional<SliceSegment> Sight::lineAt(int projection, double bin, double slice) const
{
    const ProjectionMatrix& m = m_matrices[static_cast<std::size_t>(projection)];
    const auto of = [&](std::size_t k) { return m[k] - bin * m[8 + k]; };
    const double a = of(0), b = of(1), c = of(2) * slice + of(3);
    const double first = -0.5, last = m_size - 0.5;
    // Parametrised along the coordinate axis to which the line is closer.
    const bool isSteep = std::abs(a) > std::abs(b);
    const double along = isSteep ? b : a, across = isSteep ? a : b;
    if (across == 0)
        return {};
    const auto acrossAt = [&](double place) { return -(along * place + c) / across; };
    double from = first, to = last;
    if (along != 0) {
        const double one = -(across * first + c) / along, other = -(across * last + c) / along;
        from = std::max(from, std::min(one, other));
        to = std::min(to, std::max(one, other));
    } else if (!(acrossAt(0) >= first && acrossAt(0) <= last)) {
        return {};
    }
    if (!(from < to))
        return {};
    const SliceSegment segment{from, acrossAt(from), to, acrossAt(to)};
    return isSteep ? SliceSegment{segment.row0, segment.column0, segment.row1, segment.column1} : segment;
}

DetectorPlace Sight::middleOf(int projection, double slice) const
{
    return placeOf(projection, (m_size - 1) / 2, (m_size - 1) / 2, slice);
}

double Sight::sliceAt(int projection, double detectorRow) const
{
    const ProjectionMatrix& m = m_matrices[static_cast<std::size_t>(projection)];
    const double middle = (m_size - 1) / 2;
    const auto rest = [&](std::size_t k) { return (m[k] + m[k + 1]) * middle + m[k + 3]; };
    return (detectorRow * rest(8) - rest(4)) / (m[6] - detectorRow * m[10]);
}

} // namespace engine
