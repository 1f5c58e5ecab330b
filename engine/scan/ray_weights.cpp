#include "engine/scan/ray_weights.h"

#include "engine/error.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <numbers>
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

// sin² from 0 to 1 while x goes from 0 to 1.
double smoothStep(double x)
{
    return square(std::sin(pi / 2 * std::clamp(x, 0.0, 1.0)));
}

double folded(double angleRad)
{
    const double rest = std::fmod(angleRad, 2 * pi);
    return rest < 0 ? rest + 2 * pi : rest;
}

// Fan angles of the detector's bins, and the arc that was measured. The ray at β under the angle γ to the central one
// comes again from the other side at β + π − 2γ under −γ.
class ShortScan
{
  public:
    ShortScan(const ConeBeam& beam, const AngularSampling& sampling) : m_beam(beam), m_sampling(sampling)
    {
        const double axis = beam.axisBins.front(), binMm = beam.pixelUMm;
        for (int bin = 0; bin < beam.bins; ++bin)
            m_gammas.push_back(std::atan((bin - axis) * binMm / beam.sourceDetectorMm));
        m_widest = std::max(std::abs(m_gammas.front()), std::abs(m_gammas.back()));
        for (const MissingWedge& wedge : sampling.missingWedges)
            m_measured -= wedge.widthRad;
    }

    bool isFull() const { return m_sampling.missingWedges.empty(); }

    // Fills [projection][bin] and says what was done.
    std::string weigh(std::vector<float>& redundancy) const
    {
        redundancy.assign(static_cast<std::size_t>(m_beam.projections()) * m_beam.bins, 1.0F);
        const bool parker = m_sampling.missingWedges.size() == 1 && m_measured >= pi + 2 * m_widest - 1e-3;
        for (int p = 0; p < m_beam.projections(); ++p)
            for (int bin = 0; bin < m_beam.bins; ++bin) {
                const double beta = m_beam.anglesRad[p], gamma = m_gammas[bin];
                redundancy[static_cast<std::size_t>(p) * m_beam.bins + bin] =
                    static_cast<float>(2 * (parker ? parkerWeight(beta, gamma) : shareOf(beta, gamma)));
            }
        if (parker)
            return "The projections cover " + inDegrees(m_measured) +
                   ": as a short scan, rays that were measured twice share their weight (Parker).";
        return "The projections cover " + inDegrees(m_measured) + " where this fan of ±" + inDegrees(m_widest) +
               " needs " + inDegrees(pi + 2 * m_widest) +
               ": what no ray saw is missing in the image (limited angle); rays that were measured twice share their "
               "weight.";
    }

  private:
    // From where the arc begins.
    double alongArc(double beta) const
    {
        const MissingWedge& wedge = m_sampling.missingWedges.front();
        const double along = folded(beta - wedge.fromRad - wedge.widthRad);
        return along > m_measured + wedge.widthRad / 2 ? along - 2 * pi : along; // the first one, rounded below 0
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

    // How much of a projection at this angle is trusted: less near the ends of what was measured, nothing beyond.
    double trust(double beta) const
    {
        constexpr double edgeRad = 10 * pi / 180;
        double least = 1;
        for (const MissingWedge& wedge : m_sampling.missingWedges) {
            const double into = folded(beta - wedge.fromRad);
            if (into > 1e-9 && into < wedge.widthRad - 1e-9)
                return 0;
            const double away = std::min(folded(into - wedge.widthRad), folded(-into));
            least = std::min(least, 0.01 + 0.99 * smoothStep(away / edgeRad));
        }
        return least;
    }
    double shareOf(double beta, double gamma) const
    {
        const double here = trust(beta), there = trust(beta + pi - 2 * gamma);
        return here > 0 ? here / (here + there) : 0;
    }

    const ConeBeam& m_beam;
    const AngularSampling& m_sampling;
    std::vector<double> m_gammas;
    double m_widest = 0, m_measured = 2 * pi;
};

// Over a full circle, where the detector reaches further on one side of the axis: that side's outer rays are measured
// once, the others twice.
std::optional<std::string> weighDisplaced(const ConeBeam& beam, std::vector<float>& redundancy)
{
    const double axis = beam.axisBins.front(), left = axis + 0.5, right = beam.bins - 0.5 - axis;
    constexpr double least = 0.1;
    if (std::abs(right - left) < least * beam.bins)
        return {};
    const double lengthBins = beam.sourceDetectorMm / beam.pixelUMm;
    const double overlap = std::atan(std::min(left, right) / lengthBins);
    std::vector<float> line(beam.bins);
    for (int bin = 0; bin < beam.bins; ++bin) {
        const double gamma = std::atan((bin - axis) / lengthBins) * (right > left ? 1 : -1);
        line[bin] = static_cast<float>(1 + std::sin(pi / 2 * std::clamp(gamma / overlap, -1.0, 1.0)));
    }
    redundancy.clear();
    for (int p = 0; p < beam.projections(); ++p)
        redundancy.insert(redundancy.end(), line.begin(), line.end());
    return "The detector reaches further on one side of the axis: rays that were measured once count twice (Wang).";
}

WeighedRays weighParallel(const ParallelBeam& beam)
{
    const AngularSampling sampling = angularSampling(beam.anglesRad);
    WeighedRays weighed{sampling.weights, notesOf(sampling)};
    if (beam.pixelSizeMm)
        for (double& weight : weighed.weights.projections)
            weight /= *beam.pixelSizeMm;
    return weighed;
}

WeighedRays weighCone(const ConeBeam& beam)
{
    AngularSampling sampling = angularSampling(beam.anglesRad, Turn::full);
    WeighedRays weighed;
    RayWeights& weights = weighed.weights;
    weights.projections = sampling.weights;
    std::vector<double> binMm;
    for (const ProjectionMatrix& matrix : projectionMatrices(beam)) {
        const CentralRay ray = centralRayOf(matrix);
        if (beam.isCircle() && beam.axisBins.size() == 1) { // the same for all, without the rounding of each
            weights.central = {{beam.axisBins.front(), beam.centralRow, beam.sourceDetectorMm / beam.pixelUMm,
                                beam.sourceDetectorMm / beam.pixelVMm}};
            binMm.assign(beam.anglesRad.size(), beam.pixelUMm / beam.magnification());
            break;
        }
        weights.central.push_back(ray);
        binMm.push_back(binAtAxisMm(matrix));
    }
    for (std::size_t p = 0; p < binMm.size(); ++p)
        weights.projections[p] /= binMm[p];
    if (!beam.isCircle() || beam.axisBins.size() != 1) {
        weighed.notes = notesOf(sampling);
        return weighed;
    }
    const ShortScan arc(beam, sampling);
    if (!arc.isFull())
        weighed.notes.push_back(arc.weigh(weights.redundancy));
    else if (const auto note = weighDisplaced(beam, weights.redundancy))
        weighed.notes.push_back(*note);
    sampling.missingWedges.clear();
    for (const std::string& note : notesOf(sampling))
        weighed.notes.push_back(note);
    return weighed;
}

} // namespace

WeighedRays weighRays(const Geometry& geometry)
{
    if (const auto* cone = std::get_if<ConeBeam>(&geometry))
        return weighCone(*cone);
    return weighParallel(parallelBeamOf(geometry, "weighing the projections"));
}

} // namespace engine
