// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scan/ray_weights.h"

#include "engine/base/error.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <numbers>
#include <numeric>
#include <optional>
#include <sstream>

namespace engine
{

namespace
{

using std::numbers::pi;

std::string inDegrees(double rad)
{
    std::ostringstream text;
    text << std::setprecision(4) << std::round(rad * 180 / pi * 1e4) / 1e4 << "°";
    return text.str();
}

double square(double x)
{
    return x * x;
}

// Rises from 0 to 1 as sin² while x goes from 0 to 1.
double smoothStep(double x)
{
    return square(std::sin(pi / 2 * std::clamp(x, 0.0, 1.0)));
}

double folded(double angleRad)
{
    const double rest = std::fmod(angleRad, 2 * pi);
    return rest < 0 ? rest + 2 * pi : rest;
}

// Angles of a projection's rays to the ray through the axis, positive to the right.
struct FanAngles {
    double axisBin = 0;             // bin of the axis in the plane of the central ray
    double bin = 0, lengthBins = 1; // of the central ray

    double gamma(double h) const { return std::atan((h - bin) / lengthBins) - std::atan((axisBin - bin) / lengthBins); }
};

// Returns one set of angles common to all projections, or one per projection.
std::vector<FanAngles> fansOf(const ConeBeam& beam)
{
    if (beam.isCircle() && beam.axisBins.size() == 1)
        return {{beam.axisBins.front(), beam.axisBins.front(), beam.sourceDetectorMm / beam.pixelUMm}};
    std::vector<FanAngles> fans;
    for (const ProjectionMatrix& matrix : projectionMatrices(beam)) {
        const CentralRay ray = centralRayOf(matrix);
        fans.push_back({matrix[3] / matrix[11], ray.bin, ray.lengthBins});
    }
    return fans;
}

// Weights of rays over a full turn if the detector reaches further on one side of the axis. A ray and its opposite
// along the same line have a mean weight of 1; a ray without an opposite has weight 2.
class OneSidedRays
{
  public:
    // Reach on either side, in any unit; for several projections, the shortest on each side.
    OneSidedRays(double left, double right)
        : m_overlap(std::max(1e-9 * std::max(left, right), std::min(left, right))),
          m_change(std::min(m_overlap, 4 * (std::max(left, right) - m_overlap))), m_sign(right > left ? 1 : -1)
    {
    }

    // position: distance from the axis in the same unit, positive to the right.
    double weightAt(double position) const
    {
        if (m_change >= m_overlap)
            return 1 + m_sign * std::sin(pi / 2 * std::clamp(position / m_overlap, -1.0, 1.0));
        const double share = smoothStep((std::abs(position) - m_overlap + m_change) / m_change);
        return 1 + (position > 0 ? m_sign : -m_sign) * share;
    }

  private:
    double m_overlap, m_change, m_sign; // the weight changes over m_change near the ends of the overlap
};

constexpr const char* oneSidedNote =
    "The detector reaches further on one side of the axis: rays measured only once are weighted double (Wang).";
constexpr const char* oneSidedGapNote =
    "The detector reaches further on one side of the axis, and projections are missing: rays measured only once are "
    "weighted double, also those whose opposite ray is missing (Wang; Noo).";

// Returns the confidence in a projection at this angle: lower near the ends of the measured range, 0 outside it.
double trust(const AngularSampling& sampling, double beta)
{
    constexpr double edgeRad = 10 * pi / 180;
    double least = 1;
    for (const MissingWedge& wedge : sampling.missingWedges) {
        const double into = folded(beta - wedge.fromRad);
        if (into > 1e-9 && into < wedge.widthRad - 1e-9)
            return 0;
        const auto distance = [](double rad) { return std::min(folded(rad), folded(-rad)); }; // on the circle
        const double away = std::min(distance(into - wedge.widthRad), distance(into));
        least = std::min(least, 0.01 + 0.99 * smoothStep(away / edgeRad));
    }
    return least;
}

// The measured arc of a short scan. The ray at source angle β, at the angle γ to the ray through the axis, is
// measured again from the other side at β + π − 2γ and −γ.
class ShortScan
{
  public:
    // sides: of a detector that reaches further on one side of the axis.
    ShortScan(const ConeBeam& beam, const AngularSampling& sampling, const std::optional<OneSidedRays>& sides)
        : m_beam(beam), m_sampling(sampling), m_sides(sides), m_fans(fansOf(beam))
    {
        for (const FanAngles& fan : m_fans)
            m_widest = std::max({m_widest, std::abs(fan.gamma(0)), std::abs(fan.gamma(beam.bins - 1))});
        for (const MissingWedge& wedge : sampling.missingWedges)
            m_measured -= wedge.widthRad;
    }

    bool isFull() const { return m_sampling.missingWedges.empty(); }

    // Fills [projection][bin] and returns a sentence about what was done.
    std::string weigh(std::vector<float>& redundancy) const
    {
        redundancy.assign(static_cast<std::size_t>(m_beam.projections()) * m_beam.bins, 1.0F);
        const bool parker = !m_sides && m_sampling.missingWedges.size() == 1 && m_measured >= pi + 2 * m_widest - 1e-3;
        for (int p = 0; p < m_beam.projections(); ++p)
            for (int bin = 0; bin < m_beam.bins; ++bin) {
                const double beta = m_beam.anglesRad[p], gamma = m_fans[m_fans.size() > 1 ? p : 0].gamma(bin);
                redundancy[static_cast<std::size_t>(p) * m_beam.bins + bin] =
                    static_cast<float>(2 * (parker ? parkerWeight(beta, gamma) : shareOf(beta, gamma)));
            }
        if (m_sides)
            return oneSidedGapNote;
        if (parker)
            return "The projections cover " + inDegrees(m_measured) +
                   ": as a short scan, rays that were measured twice share their weight (Parker).";
        return "The projections cover " + inDegrees(m_measured) + " where this fan of ±" + inDegrees(m_widest) +
               " needs " + inDegrees(pi + 2 * m_widest) +
               ": the image lacks what no ray covered (limited angle); rays that were measured twice share their "
               "weight.";
    }

  private:
    // Returns the angle from the beginning of the arc.
    double alongArc(double beta) const
    {
        const MissingWedge& wedge = m_sampling.missingWedges.front();
        const double along = folded(beta - wedge.fromRad - wedge.widthRad);
        // Rounding may put the first projection just below 0, which is folded to nearly 2π.
        return along > m_measured + wedge.widthRad / 2 ? along - 2 * pi : along;
    }

    double parkerWeight(double beta, double gamma) const
    {
        const double along = alongArc(beta), over = (m_measured - pi) / 2; // at least the widest γ
        const double rising = 2 * (over + gamma), falling = pi + 2 * gamma;
        if (along < rising)
            return smoothStep(along / rising);
        if (along > falling)
            return smoothStep((m_measured - along) / (2 * (over - gamma)));
        return 1;
    }

    double shareOf(double beta, double gamma) const
    {
        const auto measured = [&](double angle, double at) {
            return trust(m_sampling, angle) * (m_sides ? m_sides->weightAt(at) / 2 : 1);
        };
        const double here = measured(beta, gamma), there = measured(beta + pi - 2 * gamma, -gamma);
        return here > 0 ? here / (here + there) : 0;
    }

    const ConeBeam& m_beam;
    const AngularSampling& m_sampling;
    const std::optional<OneSidedRays>& m_sides;
    std::vector<FanAngles> m_fans;
    double m_widest = 0, m_measured = 2 * pi;
};

// Returns the largest shift of the axis over the rows of the detector in any projection, in bins.
double mostShiftOf(const ConeBeam& beam)
{
    double most = 0;
    for (const ProjectionMatrix& matrix : projectionMatrices(beam))
        most = std::max(most, axisImageOf(matrix, beam).mostShift(beam.rows));
    return most;
}

// Returns how much further the detector reaches to the right of the axis than to the left, in bins, on average; 0 if
// the difference is too small to matter, or if the axis isn't on the detector at all.
double displacementOf(int bins, double axisBin, double least)
{
    const double displacement = bins - 1 - 2 * axisBin;
    const bool counts = std::abs(displacement) >= std::max(least, 0.01 * bins) && std::abs(displacement) <= bins;
    return counts ? displacement : 0; // 0 for NaN
}

// The same for a cone beam, without blank bins; also 0 if some rows reach further on one side and others on the other
// side.
double displacementOf(const ConeBeam& beam, const std::vector<FanAngles>& fans)
{
    double axis = 0;
    for (const FanAngles& fan : fans)
        axis += fan.axisBin / static_cast<double>(fans.size());
    const int bins = beam.bins - beam.blankLeft - beam.blankRight;
    return displacementOf(bins, axis - beam.blankLeft, std::min(2 * mostShiftOf(beam), 0.1 * bins));
}

// Returns the displacement for a full circle, which may have gaps; 0 otherwise, where it doesn't matter.
double displacementOf(const ConeBeam& beam)
{
    return isFullTurn(beam.anglesRad, mostGapRad) ? displacementOf(beam, fansOf(beam)) : 0;
}

// Returns the sides of a detector that reaches further on one side of the axis over a full turn, as angles.
std::optional<OneSidedRays> sidesOf(const ConeBeam& beam)
{
    if (displacementOf(beam) == 0)
        return {};
    const std::vector<FanAngles> fans = fansOf(beam);
    double left = pi, right = pi; // common to all projections
    for (const FanAngles& fan : fans) {
        left = std::min(left, -fan.gamma(beam.blankLeft - 0.5));
        right = std::min(right, fan.gamma(beam.bins - beam.blankRight - 0.5));
    }
    return OneSidedRays(left, right);
}

void weighDisplaced(const ConeBeam& beam, const OneSidedRays& rays, std::vector<float>& redundancy)
{
    const std::vector<FanAngles> fans = fansOf(beam);
    for (int p = 0; p < beam.projections(); ++p)
        for (int bin = 0; bin < beam.bins; ++bin)
            redundancy.push_back(static_cast<float>(rays.weightAt(fans[fans.size() > 1 ? p : 0].gamma(bin))));
}

WeighedRays weighParallel(const ParallelBeam& beam)
{
    const AngularSampling sampling = angularSampling(beam.anglesRad);
    WeighedRays weighed{sampling.weights, notesOf(sampling)};
    const double per = beam.pixelSizeMm ? 1 / *beam.pixelSizeMm : beam.pixelBins; // in mm, or pixels of a slice
    if (per != 1)
        for (double& weight : weighed.weights.projections)
            weight *= per;
    return weighed;
}

WeighedRays weighCone(const ConeBeam& beam)
{
    AngularSampling sampling = angularSampling(beam.anglesRad, Turn::full);
    WeighedRays weighed;
    RayWeights& weights = weighed.weights;
    weights.projections = sampling.weights;
    if (beam.isCircle() && beam.axisBins.size() == 1) { // common to all, without individual rounding errors
        weights.central = {{beam.axisBins.front(), beam.centralRow, beam.sourceDetectorMm / beam.pixelUMm,
                            beam.sourceDetectorMm / beam.pixelVMm}};
        const double binMm = beam.pixelUMm / beam.magnification();
        for (double& weight : weights.projections)
            weight /= binMm;
    } else {
        const std::vector<ProjectionMatrix> matrices = projectionMatrices(beam);
        for (std::size_t p = 0; p < matrices.size(); ++p) {
            weights.central.push_back(centralRayOf(matrices[p]));
            weights.projections[p] /= binAtAxisMm(matrices[p]);
        }
    }
    const std::optional<OneSidedRays> sides = sidesOf(beam);
    if (const ShortScan arc(beam, sampling, sides); !arc.isFull()) {
        weighed.notes.push_back(arc.weigh(weights.redundancy));
    } else if (sides) {
        weighDisplaced(beam, *sides, weights.redundancy);
        weighed.notes.push_back(oneSidedNote);
    }
    for (const Note& note : angleNotes(beam))
        weighed.notes.push_back(note);
    return weighed;
}

} // namespace

RayWeights weightsOf(const RayWeights& all, const std::vector<int>& projections, int bins)
{
    RayWeights some;
    some.firstRow = all.firstRow;
    if (all.central.size() == 1)
        some.central = all.central;
    for (const int p : projections) {
        some.projections.push_back(all.projections[p]);
        if (all.central.size() > 1)
            some.central.push_back(all.central[p]);
        if (!all.redundancy.empty()) {
            const auto from = all.redundancy.begin() + static_cast<std::ptrdiff_t>(p) * bins;
            some.redundancy.insert(some.redundancy.end(), from, from + bins);
        }
    }
    return some;
}

std::vector<Note> angleNotes(const Geometry& geometry)
{
    const bool isCone = std::holds_alternative<ConeBeam>(geometry);
    AngularSampling sampling = angularSampling(anglesRadOf(geometry), isCone ? Turn::full : Turn::half);
    if (isCone) // the note of a short scan reports the missing wedges
        sampling.missingWedges.clear();
    return notesOf(sampling);
}

WeighedRays weighRays(const Geometry& geometry)
{
    if (const auto* cone = std::get_if<ConeBeam>(&geometry))
        return weighCone(*cone);
    return weighParallel(parallelBeamOf(geometry, "weighting the projections"));
}

std::optional<OneSided> oneSided(const ParallelBeam& beam)
{
    const std::vector<double>& axes = beam.axisBins;
    const double mean = std::accumulate(axes.begin(), axes.end(), 0.0) / static_cast<double>(axes.size());
    const double displacement = displacementOf(beam.bins, mean, 0);
    if (displacement == 0 || !isFullTurn(beam.anglesRad, mostGapRad))
        return {};
    const AngularSampling sampling = angularSampling(beam.anglesRad, Turn::full);
    const bool hasGaps = !sampling.missingWedges.empty();
    const auto [least, most] = std::ranges::minmax(axes);
    const OneSidedRays rays(least + 0.5, beam.bins - 0.5 - most);
    // Covered by both sides together, in pixels of a slice.
    const int reached = static_cast<int>((beam.bins + std::abs(displacement)) / beam.pixelBins);
    const std::string wider = " A slice size of " + std::to_string(reached) + " pixels shows the whole measured area.";
    OneSided made{
        0, 0, {}, (hasGaps ? oneSidedGapNote : oneSidedNote) + (sliceSizeOf(beam) < reached ? wider : std::string())};
    (displacement > 0 ? made.blankLeft : made.blankRight) = static_cast<int>(std::ceil(std::abs(displacement) - 1e-6));
    if (!hasGaps)
        for (const double axis : axes)
            for (int bin = 0; bin < beam.bins; ++bin)
                made.weights.push_back(static_cast<float>(rays.weightAt(bin - axis)));
    // The weights of projections count opposite ones together: one whose opposite is missing has more of it. Here the
    // rays have that weight themselves.
    const std::vector<double> together = hasGaps ? angularSampling(beam.anglesRad).weights : std::vector<double>();
    for (std::size_t p = 0; p < together.size(); ++p) {
        const double axis = axes[axes.size() > 1 ? p : 0], alone = sampling.weights[p] / together[p],
                     here = trust(sampling, beam.anglesRad[p]),
                     there = trust(sampling, beam.anglesRad[p] + pi); // of the opposite rays
        for (int bin = 0; bin < beam.bins; ++bin) {
            const double own = here * rays.weightAt(bin - axis), other = there * rays.weightAt(axis - bin);
            made.weights.push_back(static_cast<float>(own > 0 ? alone * 2 * own / (own + other) : 0));
        }
    }
    return made;
}

// Let (u, v) be coordinates in the detector's plane, in units of the distance of the source; the origin is the image of
// the middle of the axis. The axis is the line u = v·tan φ. The rotation by φ maps this line to the columns, that is,
// to u' = u·cos φ − v·sin φ = 0.
ConeBeam upright(ConeBeam beam)
{
    const double displacement = displacementOf(beam), shift = mostShiftOf(beam);
    if (displacement == 0 || shift < 0.05)
        return beam;
    std::vector<ProjectionMatrix> turned;
    for (const ProjectionMatrix& m : beam.matrices) {
        const AxisImage axis = axisImageOf(m, beam);
        const CentralRay ray = centralRayOf(m);
        const double c = std::cos(axis.leanRad), s = std::sin(axis.leanRad),
                     rowsPerBin = ray.lengthRows / ray.lengthBins;
        ProjectionMatrix& to = turned.emplace_back(m);
        for (int i = 0; i < 4; ++i) {
            const double bins = m[i] - axis.bin * m[8 + i], rows = m[4 + i] - axis.row * m[8 + i]; // times w
            to[i] = axis.bin * m[8 + i] + c * bins - s * rows / rowsPerBin;
            to[4 + i] = axis.row * m[8 + i] + s * bins * rowsPerBin + c * rows;
        }
    }
    beam.matrices = std::move(turned);
    beam.rollRad = 0;
    (displacement > 0 ? beam.blankLeft : beam.blankRight) += static_cast<int>(std::ceil(shift));
    return beam;
}

ConeBeam widened(ConeBeam beam)
{
    const double displacement = displacementOf(beam);
    const bool onLeft = displacement > 0;
    const double lacking = std::abs(displacement) - (onLeft ? beam.blankLeft : beam.blankRight);
    const int more = std::max(0, static_cast<int>(std::ceil(lacking - 1e-6)));
    beam.bins += more;
    if (!onLeft) {
        beam.blankRight += more;
        return beam;
    }
    beam.blankLeft += more;
    for (double& axis : beam.axisBins)
        axis += more;
    for (ProjectionMatrix& m : beam.matrices)
        for (int i = 0; i < 4; ++i)
            m[i] += more * m[8 + i];
    return beam;
}

} // namespace engine
