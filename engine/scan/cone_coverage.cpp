// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scan/cone_coverage.h"

#include "engine/base/error.h"
#include "engine/base/number_text.h"
#include "engine/base/parallel_for.h"
#include "engine/scan/ray_weights.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace engine
{

namespace
{

// Test whether rays meet the detector, with half a pixel of margin beyond its outermost bins and rows.
class RayPath
{
  public:
    explicit RayPath(const ConeBeam& beam)
        : m_matrices(projectionMatrices(beam)), m_volume(beam.volume), m_isFan(beam.rows == 1),
          m_right(beam.bins - 0.5), m_bottom(beam.rows - 0.5)
    {
    }

    int projections() const { return static_cast<int>(m_matrices.size()); }

    // Returns whether a projection sees a point; x and y in voxels from the middle.
    bool sees(int projection, double x, double y, double slice) const
    {
        const ProjectionMatrix& m = m_matrices[projection];
        const double z = m_volume.heightOf(slice) * m_volume.voxelMm;
        x *= m_volume.voxelMm;
        y *= m_volume.voxelMm;
        const double w = m[8] * x + m[9] * y + m[10] * z + m[11];
        const double hw = m[0] * x + m[1] * y + m[2] * z + m[3], rw = m[4] * x + m[5] * y + m[6] * z + m[7];
        return w > 0 && hw >= -0.5 * w && hw <= m_right * w && (m_isFan || (rw >= -0.5 * w && rw <= m_bottom * w));
    }

  private:
    std::vector<ProjectionMatrix> m_matrices;
    ConeVolume m_volume;
    bool m_isFan;
    double m_right, m_bottom;
};

struct DiscPoint {
    double x, y;
};

constexpr int ringPoints = 32;

// Returns points on rings of equal area, then points on the rim, and the middle.
std::vector<DiscPoint> pointsOfDisc(int size)
{
    constexpr int rings = 6, around = ringPoints;
    const double radius = (size - 1) / 2.0;
    std::vector<DiscPoint> points;
    for (int ring = 0; ring < rings; ++ring)
        for (int k = 0; k < around; ++k) {
            const double r = radius * std::sqrt((ring + 0.5) / rings), angle = 2 * std::numbers::pi * k / around;
            points.push_back({r * std::cos(angle), r * std::sin(angle)});
        }
    for (int k = 0; k < around; ++k) {
        const double angle = 2 * std::numbers::pi * (k + 0.5) / around;
        points.push_back({radius * std::cos(angle), radius * std::sin(angle)});
    }
    points.push_back({0, 0});
    return points;
}

SliceCoverage coverageOfDisc(const RayPath& sight, const std::vector<DiscPoint>& points, double slice)
{
    constexpr int mostProjections = 120;
    const int projections = std::min(sight.projections(), mostProjections);
    SliceCoverage coverage{0, 1, 0};
    const std::size_t ofArea = points.size() - ringPoints - 1;
    int full = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const DiscPoint& point = points[i];
        int seen = 0;
        for (int k = 0; k < projections; ++k)
            seen += sight.sees(static_cast<int>(static_cast<long long>(k) * sight.projections() / projections), point.x,
                               point.y, slice);
        full += i < ofArea && seen == projections;
        const double share = projections > 0 ? static_cast<double>(seen) / projections : 0;
        coverage.least = std::min(coverage.least, share);
        coverage.most = std::max(coverage.most, share);
    }
    coverage.shareSeenByAll = static_cast<double>(full) / static_cast<double>(ofArea);
    return coverage;
}

std::string percentText(double share)
{
    return numberToText(std::floor(share * 100)) + " %"; // rounded down: 99.6 % isn't all
}

} // namespace

Volume coverageOf(const ConeBeam& beam, const VolumeGrid& grid, std::stop_token stop)
{
    const RayPath sight(beam);
    Volume counts(grid.slices, grid.height, grid.width);
    parallelFor(0, grid.slices * grid.height, [&](int line) {
        throwIfStopped(stop);
        const int k = line / grid.height, row = line % grid.height;
        float* out = counts.slice(k).data() + static_cast<std::size_t>(row) * grid.width;
        for (int p = 0; p < sight.projections(); ++p)
            for (int column = 0; column < grid.width; ++column)
                out[column] += sight.sees(p, grid.x(column), grid.y(row), grid.z0 + k * grid.dz) ? 1.0F : 0.0F;
    });
    return counts;
}

SliceCoverage coverageOfSlice(const ConeBeam& beam, double slice)
{
    return coverageOfDisc(RayPath(beam), pointsOfDisc(beam.volume.size), slice);
}

std::vector<Note> coverageNotes(const ConeBeam& beam, const VolumeGrid& grid)
{
    constexpr double enough = 0.9;
    const RayPath sight(widened(beam));
    const std::vector<DiscPoint> points = pointsOfDisc(beam.volume.size);
    int poor = 0, unseen = 0;
    SliceCoverage worst{1, 1, 1};
    for (int k = 0; k < grid.slices; ++k) {
        const SliceCoverage coverage = coverageOfDisc(sight, points, grid.z0 + k * grid.dz);
        if (coverage.most == 0) {
            ++unseen;
            continue;
        }
        poor += coverage.shareSeenByAll < enough;
        if (coverage.shareSeenByAll < worst.shareSeenByAll)
            worst = coverage;
    }
    std::vector<Note> notes;
    if (unseen > 0)
        notes.push_back({"outside-cone", unseen, "slice lies outside the cone and is",
                         "slices lie outside the cone and are", " met by no ray."});
    if (poor > 0 && grid.slices == 1)
        notes.push_back("In slice " + numberToText(grid.z0) + " the detector sees " +
                        percentText(worst.shareSeenByAll) +
                        " of the inscribed disc in all projections and the rest in at least " +
                        percentText(worst.least) + " of them: that part is incomplete.");
    else if (poor > 0)
        notes.push_back({"partly-seen", poor, "slice is", "slices are",
                         " seen in all projections over less than 90 % of the inscribed disc: the region outside the "
                         "cone is incomplete."});
    return notes;
}

} // namespace engine
