// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scan/geometry.h"

#include "engine/base/error.h"
#include "engine/base/number_text.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <limits>
#include <numbers>
#include <numeric>
#include <sstream>

namespace engine
{

std::string labelOf(const Geometry& geometry)
{
    if (const auto* cone = std::get_if<ConeBeam>(&geometry); cone && cone->rows == 1)
        return "fan beam";
    return std::visit([](const auto& alternative) { return std::string(alternative.label); }, geometry);
}
int binsOf(const Geometry& geometry)
{
    return std::visit([](const auto& alternative) { return alternative.bins; }, geometry);
}
double middleBinsOf(const Geometry& geometry)
{
    return std::visit([](const auto& alternative) { return alternative.middleBins(); }, geometry);
}
const std::vector<double>& anglesRadOf(const Geometry& geometry)
{
    return std::visit([](const auto& alternative) -> const std::vector<double>& { return alternative.anglesRad; },
                      geometry);
}
const std::vector<double>& axisBinsOf(const Geometry& geometry)
{
    return std::visit([](const auto& alternative) -> const std::vector<double>& { return alternative.axisBins; },
                      geometry);
}
std::optional<double> pixelSizeMmOf(const Geometry& geometry)
{
    if (const auto* cone = std::get_if<ConeBeam>(&geometry))
        return cone->volume.voxelMm;
    if (const auto* parallel = std::get_if<ParallelBeam>(&geometry); parallel && parallel->pixelSizeMm)
        return *parallel->pixelSizeMm * parallel->pixelBins;
    return std::visit(
        [](const auto& alternative) -> std::optional<double> {
            if constexpr (requires { alternative.pixelSizeMm; })
                return alternative.pixelSizeMm;
            return {};
        },
        geometry);
}
int sliceSizeOf(const Geometry& geometry)
{
    const auto* cone = std::get_if<ConeBeam>(&geometry);
    if (cone)
        return cone->volume.size;
    const auto* parallel = std::get_if<ParallelBeam>(&geometry);
    if (!parallel)
        return binsOf(geometry);
    const long asManyAsBins = std::max(1L, std::lround(parallel->bins / parallel->pixelBins));
    return parallel->sliceSize > 0 ? parallel->sliceSize : static_cast<int>(asManyAsBins);
}
double rotationRadOf(const Geometry& geometry)
{
    return std::visit(
        [](const auto& alternative) {
            if constexpr (requires { alternative.rotationRad; })
                return alternative.rotationRad;
            return 0.0;
        },
        geometry);
}
int slicesOf(const Geometry& geometry, int rows)
{
    const auto* cone = std::get_if<ConeBeam>(&geometry);
    return cone ? cone->volume.slices : rows;
}

Geometry withAxis(Geometry geometry, double axisBins)
{
    std::visit([axisBins](auto& alternative) { alternative.axisBins = {axisBins}; }, geometry);
    if (auto* parallel = std::get_if<ParallelBeam>(&geometry); parallel && !parallel->shiftBins.empty()) {
        parallel->axisBins = parallel->shiftBins;
        for (double& bins : parallel->axisBins)
            bins += axisBins;
    }
    return geometry;
}

Geometry turnedBy(double rad, Geometry geometry)
{
    if (auto* cone = std::get_if<ConeBeam>(&geometry); cone && !cone->isCircle()) {
        const double cosine = std::cos(rad), sine = std::sin(rad);
        for (ProjectionMatrix& m : cone->matrices)
            for (int row = 0; row < 3; ++row) {
                const double x = m[4 * row], y = m[4 * row + 1];
                m[4 * row] = x * cosine + y * sine;
                m[4 * row + 1] = y * cosine - x * sine;
            }
        return geometry;
    }
    std::visit(
        [rad](auto& beam) {
            for (double& angle : beam.anglesRad)
                angle -= rad;
        },
        geometry);
    return geometry;
}

VolumeGrid gridInBins(VolumeGrid grid, const Geometry& geometry)
{
    const auto* parallel = std::get_if<ParallelBeam>(&geometry);
    if (!parallel || parallel->pixelBins == 1)
        return grid;
    const double middle = (grid.size - 1) / 2.0;
    grid.x0 = middle + (grid.x0 - middle) * parallel->pixelBins;
    grid.y0 = middle + (grid.y0 - middle) * parallel->pixelBins;
    grid.step *= parallel->pixelBins;
    return grid;
}

const ParallelBeam& parallelBeamOf(const Geometry& geometry, const Text& who)
{
    const auto* beam = std::get_if<ParallelBeam>(&geometry);
    require(beam != nullptr, who + " needs a scan with a " + ParallelBeam::label + ", not with a " + labelOf(geometry));
    return *beam;
}

const ConeBeam& coneBeamOf(const Geometry& geometry, const Text& who)
{
    const auto* beam = std::get_if<ConeBeam>(&geometry);
    require(beam != nullptr, who + " needs a scan with a " + ConeBeam::label + ", not with a " + labelOf(geometry));
    return *beam;
}

namespace
{

// Returns the number of rows that a line perpendicular to the axis crosses.
double rowsAcross(const ProjectionMatrix& m, const ConeBeam& beam)
{
    const CentralRay ray = centralRayOf(m);
    const double rows = std::abs(std::tan(axisImageOf(m, beam).leanRad)) * beam.bins * ray.lengthRows / ray.lengthBins;
    return rows < 0.05 ? 0 : rows;
}

// Returns the rows onto which a slab of the volume is projected. Its corners are the outermost points on the
// detector: along each edge the row is a quotient of two linear functions, which has no extremum between the ends if
// the source is outside.
RowRange rowsForCone(const ConeBeam& beam, const VolumeGrid& grid)
{
    if (beam.rows == 1)
        return {0, 1};
    ConeBeam centred = beam;
    if (beam.isCircle() && beam.axisBins.empty())
        centred.axisBins = {beam.middleBins()}; // affects only bins
    const double mm = beam.volume.voxelMm;
    double least = std::numeric_limits<double>::infinity(), most = -least, leaning = 0;
    for (const ProjectionMatrix& m : projectionMatrices(centred)) {
        leaning = std::max(leaning, rowsAcross(m, beam));
        for (const int column : {0, grid.width - 1})
            for (const int row : {0, grid.height - 1})
                for (const double slice : {grid.z0, grid.z0 + (grid.slices - 1) * grid.dz}) {
                    const double x = grid.x(column) * mm, y = grid.y(row) * mm, z = beam.volume.heightOf(slice) * mm;
                    const double w = m[8] * x + m[9] * y + m[10] * z + m[11];
                    const double r = (m[4] * x + m[5] * y + m[6] * z + m[7]) / w;
                    least = std::min(least, r);
                    most = std::max(most, r);
                }
    }
    // One more row on each side than interpolation needs, for kernels with different rounding.
    const double first = std::floor(least) - 1, last = std::floor(most) + 2;
    require(std::isfinite(first) && std::isfinite(last), "the geometry maps the slices to no rows of the detector");
    if (first >= beam.rows || last < 0) // no ray meets the voxels: any row will do, it contributes nothing
        return {first >= beam.rows ? beam.rows - 1 : 0, 1};
    // More rows for lines perpendicular to a leaning axis, where the detector is turned upright.
    const int from = static_cast<int>(std::max(0.0, first - std::ceil(leaning)));
    return {from, static_cast<int>(std::min(beam.rows - 1.0, last + std::ceil(leaning))) - from + 1};
}

} // namespace

RowRange rowsFor(const Geometry& geometry, const VolumeGrid& grid)
{
    if (const auto* cone = std::get_if<ConeBeam>(&geometry))
        return rowsForCone(*cone, grid);
    parallelBeamOf(geometry, "choosing the rows of the detector"); // slice k is row k
    return {static_cast<int>(std::lround(grid.z0)), grid.slices};
}

namespace
{

using std::numbers::pi;

// Projections with the same direction: order[first], … On the half circle, 0° and 180° are one direction, and so are
// all angles that are 180° apart.
struct Group {
    std::size_t first, count;
    double direction; // 0…π on the half circle, 0…2π on the full circle
};

// Returns whether a gap is a missing wedge. It must be 15° wide or more: then it is better, on average over its
// possible positions, to leave it out. It must also satisfy one of two criteria found by experiment
// (tests/bench/results/angular-weights.md):
// - The angles beside it are evenly spaced, and it is wider than the two gaps on each side. The less alike these four
//   gaps are, the wider it has to be; four neighbouring gaps of random angles are seldom alike.
// - For any distribution of the angles: it is more than 4 times as wide as those four gaps, and more than 13 times as
//   wide as the mean of all other gaps. Among N random angles, a gap g has a probability of at most N·(1 − g/π)^(N−1),
//   which is about one in a thousand for 13 times the mean.
bool isMissingWedge(const std::vector<double>& gap, std::size_t i, double circleRad)
{
    constexpr std::size_t fewest = 6; // the gap, two on each side, and one more to compare with
    constexpr double leastRad = pi / 12, overEven = 1.5, overUneven = 4, overMean = 13;
    const std::size_t count = gap.size();
    if (count < fewest || gap[i] < leastRad)
        return false;
    const auto [least, most] = std::minmax(
        {gap[(i + 1) % count], gap[(i + 2) % count], gap[(i + count - 1) % count], gap[(i + count - 2) % count]});
    const double unlike = most / least;
    const double meanOfOthers = (circleRad - gap[i]) / static_cast<double>(count - 1);
    return gap[i] > overEven * most * unlike * unlike * unlike ||
           (gap[i] > overUneven * most && gap[i] > overMean * meanOfOthers);
}

// Returns the distinct directions on the half or full circle, in ascending order.
std::vector<Group> groupsOf(const std::vector<double>& anglesRad, double circleRad, std::vector<std::size_t>& order)
{
    const std::size_t count = anglesRad.size();
    std::vector<double> direction(count);
    std::transform(anglesRad.begin(), anglesRad.end(), direction.begin(), [circleRad](double angle) {
        double folded = std::fmod(angle, circleRad);
        if (folded < 0)
            folded += circleRad;
        // An angle just below the end of the circle, such as 180° rounded to a value below π, has direction 0.
        return circleRad - folded < 1e-9 ? 0.0 : folded;
    });
    order.resize(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (!std::ranges::is_sorted(direction))
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return direction[a] < direction[b]; });
    // Equal directions share their weight equally.
    std::vector<Group> groups;
    for (std::size_t i = 0; i < count; ++i) {
        if (!groups.empty() && direction[order[i]] - groups.back().direction < 1e-9)
            ++groups.back().count;
        else
            groups.push_back({i, 1, direction[order[i]]});
    }
    return groups;
}

} // namespace

AngularSampling angularSampling(const std::vector<double>& anglesRad, Turn turn)
{
    const double circleRad = turn == Turn::half ? pi : 2 * pi;
    AngularSampling sampling;
    if (anglesRad.empty())
        return sampling;
    std::vector<std::size_t> order;
    const std::vector<Group> groups = groupsOf(anglesRad, circleRad, order);
    const std::size_t count = groups.size();
    std::vector<double> gap(count); // after each direction
    for (std::size_t i = 0; i < count; ++i)
        gap[i] = i + 1 < count ? groups[i + 1].direction - groups[i].direction
                               : groups.front().direction + circleRad - groups.back().direction;
    std::vector<bool> missing(count);
    sampling.leastStepRad = circleRad;
    for (std::size_t i = 0; i < count; ++i) {
        missing[i] = isMissingWedge(gap, i, circleRad);
        if (missing[i]) {
            sampling.missingWedges.push_back({anglesRad[order[groups[i].first]], gap[i]});
            continue;
        }
        sampling.leastStepRad = std::min(sampling.leastStepRad, gap[i]);
        sampling.mostStepRad = std::max(sampling.mostStepRad, gap[i]);
    }

    sampling.weights.resize(anglesRad.size());
    double least = circleRad, most = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t behind = i == 0 ? count - 1 : i - 1;
        // A gap beside a wedge is never a wedge itself: each would have to be wider than the other.
        const double before = gap[missing[behind] ? i : behind], after = gap[missing[i] ? behind : i];
        const double share = (before + after) / (turn == Turn::half ? 4 : 8);
        least = std::min(least, share);
        most = std::max(most, share);
        for (std::size_t k = 0; k < groups[i].count; ++k)
            sampling.weights[order[groups[i].first + k]] = share / static_cast<double>(groups[i].count);
    }
    sampling.uneven = most > 1.5 * least;
    return sampling;
}

bool isFullTurn(const std::vector<double>& anglesRad, double mostMissingRad)
{
    const AngularSampling sampling = angularSampling(anglesRad, Turn::full);
    double missing = 0;
    for (const MissingWedge& wedge : sampling.missingWedges)
        missing += wedge.widthRad;
    return missing <= mostMissingRad && sampling.mostStepRad <= std::numbers::pi / 2;
}

std::vector<double> angularWeights(const std::vector<double>& anglesRad)
{
    return angularSampling(anglesRad).weights;
}

namespace
{

std::string degreesText(double angleRad)
{
    std::ostringstream text;
    // Prints 120°, not 119.99999999999999°, and 0.2238° for 0.22380…
    text << std::setprecision(4) << std::round(angleRad * 180 / std::numbers::pi * 1e6) / 1e6 << "°";
    return text.str();
}

} // namespace

std::vector<Note> notesOf(const AngularSampling& sampling)
{
    std::vector<Note> notes;
    for (const MissingWedge& wedge : sampling.missingWedges)
        notes.push_back("There are no projections from " + degreesText(wedge.fromRad) + " to " +
                        degreesText(wedge.fromRad + wedge.widthRad) + ": this missing wedge of " +
                        degreesText(wedge.widthRad) + " was left out of the angular weights.");
    if (sampling.uneven)
        notes.push_back("The angles are unevenly spaced, " + degreesText(sampling.leastStepRad) + " to " +
                        degreesText(sampling.mostStepRad) +
                        " apart; each projection was weighted by half the distance to its neighbours.");
    return notes;
}

} // namespace engine
