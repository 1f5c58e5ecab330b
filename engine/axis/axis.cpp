// SPDX-License-Identifier: GPL-3.0-or-later
// A projection and the one from the opposite side are mirror images about the axis: p(θ, t) = p(θ + 180°, −t). A full
// turn holds many such pairs. Half a turn holds one pair, its end and its mirrored beginning: both are extrapolated to
// the angle halfway between them. The even-order errors of both extrapolations are equal and cancel. For arcs whose
// ends are too far from that angle, the centre of mass is used, which moves along axis + a·cosθ + b·sinθ
// (Helgason-Ludwig condition of first order).
#include "engine/axis/axis.h"

#include "engine/axis/cone_axis.h"
#include "engine/axis/opposite_views.h"
#include "engine/base/error.h"
#include "engine/base/number_text.h"
#include "engine/base/parallel_for.h"

#include <tbb/blocked_range.h>
#include <tbb/info.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <string>

namespace engine
{

namespace
{

using std::numbers::pi;

constexpr double degree = pi / 180;
// Arc over which projections are assumed to change linearly with the angle. Measured on the tooth scan (1° steps): 4°
// gives an error of 0.1 bin, 8° one of 0.8; a shorter arc averages less noise.
constexpr double linearArc = 4 * degree;
constexpr int mostPairs = 64;   // enough to average noise, few enough to be quick
constexpr int coarseBins = 512; // maximum number of bins in the search over the whole detector
constexpr double blurBins = 1;  // standard deviation of the blur of the fine search

struct MirrorPair {
    BinLine here, opposite;
};

// Weighted sum of projections: the value at some angle, interpolated or extrapolated.
struct Combination {
    std::vector<std::pair<int, double>> parts; // projection, weight; weights sum to one
};

struct MirrorPairing {
    Combination here, opposite;
};

// Returns the least-squares line through the projections [first, first + count) of the arc, evaluated at an angle.
Combination lineFit(const Arc& arc, int first, int count, double angleRad)
{
    double mean = 0, square = 0;
    for (int i = first; i < first + count; ++i)
        mean += arc.anglesRad[i] / count;
    for (int i = first; i < first + count; ++i)
        square += (arc.anglesRad[i] - mean) * (arc.anglesRad[i] - mean);
    Combination fit;
    for (int i = first; i < first + count; ++i) {
        const double slope = square > 0 ? (angleRad - mean) * (arc.anglesRad[i] - mean) / square : 0;
        fit.parts.emplace_back(arc.order[i], 1.0 / count + slope);
    }
    return fit;
}

std::vector<MirrorPairing> pairsOf(const Arc& arc)
{
    const int count = static_cast<int>(arc.order.size());
    std::vector<MirrorPairing> pairs;
    for (int i = 0; i < count; ++i) {
        const double opposite = arc.anglesRad[i] + pi;
        if (opposite > arc.anglesRad.back() + arc.step / 100)
            break;
        const auto after = std::lower_bound(arc.anglesRad.begin(), arc.anglesRad.end(), opposite - arc.step / 100);
        const int j = std::clamp(static_cast<int>(after - arc.anglesRad.begin()), 1, count - 1);
        const double gap = arc.anglesRad[j] - arc.anglesRad[j - 1];
        const double weight = gap > 0 ? std::clamp((opposite - arc.anglesRad[j - 1]) / gap, 0.0, 1.0) : 1;
        const double distance = std::min(weight, 1 - weight) * gap;
        if (gap > 3 * arc.step && distance > arc.step)
            continue; // a hole in the scan
        pairs.push_back({{{{arc.order[i], 1.0}}}, {{{arc.order[j - 1], 1 - weight}, {arc.order[j], weight}}}});
    }
    return pairs;
}

// Returns the combinations of projections that mirror each other; empty if the arc is too short.
std::vector<MirrorPairing> pairingsOf(const Arc& arc)
{
    const int count = static_cast<int>(arc.order.size());
    if (arc.length() >= pi + linearArc)
        if (std::vector<MirrorPairing> pairs = pairsOf(arc); pairs.size() >= 3)
            return pairs;
    if (std::abs(pi - arc.length()) > std::max(linearArc, 1.5 * arc.step))
        return {};
    const int used = std::clamp(static_cast<int>(std::lround(linearArc / arc.step)), 2, std::max(2, count / 4));
    const double join = (arc.anglesRad.back() + arc.anglesRad.front() + pi) / 2;
    return {{lineFit(arc, count - used, used, join), lineFit(arc, 0, used, join - pi)}};
}

BinLine evaluate(const Combination& combination, const Sinograms& sinograms, int slice, const BinLine& stripes)
{
    const auto bins = static_cast<std::size_t>(sinograms.bins);
    BinLine line(bins);
    for (std::size_t bin = 0; bin < bins; ++bin)
        line[bin] = -stripes[bin];
    for (const auto& [projection, weight] : combination.parts) {
        const float* values =
            sinograms.values.data() + (static_cast<std::size_t>(slice) * sinograms.projections + projection) * bins;
        for (std::size_t bin = 0; bin < bins; ++bin)
            line[bin] += weight * values[bin];
    }
    return line;
}

// Returns the slopes of a line whose bins are averaged by `factor` and blurred against noise; 0 at the ends, where
// the object may be cut off.
BinLine coarseSlopes(const BinLine& line, int factor)
{
    const std::size_t bins = line.size() / factor;
    BinLine coarse(bins);
    for (std::size_t i = 0; i < bins * factor; ++i)
        coarse[i / factor] += line[i] / factor;
    coarse = blurred(coarse, std::max(2.0, bins / 128.0));
    BinLine slopes(bins);
    for (std::size_t i = 2; i + 2 < bins; ++i)
        slopes[i] = (coarse[i + 1] - coarse[i - 1]) / 2;
    return slopes;
}

// Best match of opposite views, and the next best one away from it.
struct CoarseMatch {
    double axis = 0, next = 0, confidence = 0;
};

// Correlates the slopes of each pair for every axis c, in steps of half a bin, about which at least a tenth of the
// detector overlaps its mirror image: −Σ here(t)·opposite(2c − t), as slopes change sign in a mirror. The sum is
// divided by the root of the product of both energies in the overlap. An overlap with less than 15 % of the total
// energy, such as air on air, is unreliable; its sum is divided by 15 % of the total energy instead. If several axes
// match about equally well, because the lines show only noise or the wall of a tube, the axis nearest to the middle is
// the likeliest: the score falls by a quarter towards the ends.
CoarseMatch coarseMatch(const std::vector<MirrorPair>& pairs, const std::stop_token& stop)
{
    const int bins = static_cast<int>(pairs.front().here.size());
    const int factor = (bins + coarseBins - 1) / coarseBins;
    std::vector<MirrorPair> coarse;
    for (const MirrorPair& pair : pairs)
        coarse.push_back({coarseSlopes(pair.here, factor), coarseSlopes(pair.opposite, factor)});
    throwIfStopped(stop);
    const int count = bins / factor;
    const auto energy = [](const BinLine& line) {
        return std::inner_product(line.begin(), line.end(), line.begin(), 0.0);
    };
    double total = 0;
    for (const MirrorPair& pair : coarse)
        total += std::sqrt(energy(pair.here) * energy(pair.opposite));
    struct Score {
        double axis = 0, score = 0, match = 0;
    };
    std::vector<Score> scores;
    for (int doubled = count / 10; doubled <= 2 * (count - 1) - count / 10; ++doubled) {
        const int first = std::max(0, doubled - (count - 1)), last = std::min(count - 1, doubled);
        double match = 0, here = 0, opposite = 0;
        for (const MirrorPair& pair : coarse)
            for (int i = first; i <= last; ++i) {
                const double a = pair.here[i], b = pair.opposite[doubled - i];
                match -= a * b;
                here += a * a;
                opposite += b * b;
            }
        const double aside = std::abs(doubled / static_cast<double>(count - 1) - 1);
        const double energies = std::sqrt(here * opposite), share = match / std::max(energies, .15 * total);
        const double middle = doubled / 2.0 * factor + (factor - 1) / 2.0; // of the averaged bins
        scores.push_back({middle, (1 - .25 * aside) * share, energies > 0 ? match / energies : 0});
    }
    const auto bestOutside = [&](double from, double to) {
        Score best{(bins - 1) / 2.0};
        for (const Score& each : scores)
            if ((each.axis < from || each.axis > to) && each.score > best.score)
                best = each;
        return best;
    };
    const Score best = bestOutside(1, 0);
    const double near = std::max(4.0, bins / 50.0);
    const Score next = bestOutside(best.axis - near, best.axis + near);
    // The confidence is lower on detectors of few bins, which may match by chance, and 0 for a correlation below one
    // half, which is no match.
    const double alone = best.score > 0 ? 1 - next.score / best.score : 0;
    const double confidence = alone * std::clamp((best.match - .5) / .25, 0., 1.) * std::min(1., bins / 64.);
    return {best.axis, next.axis, confidence};
}

// Catmull-Rom weights of four neighbours, for a position `t` bins after the second one.
std::array<double, 4> cubicWeights(double t)
{
    return {t * (-1 + t * (2 - t)) / 2, 1 + t * t * (3 * t - 5) / 2, t * (1 + t * (4 - 3 * t)) / 2,
            t * t * (t - 1) / 2};
}

// Returns the factor by which interpolation with these weights changes the variance of blurred noise.
double noiseLeft(const std::array<double, 4>& weights)
{
    double sum = 0;
    for (int i = 0; i < 4; ++i)
        for (int k = 0; k < 4; ++k)
            sum += weights[i] * weights[k] * std::exp(-(i - k) * (i - k) / (4 * blurBins * blurBins));
    return sum;
}

// Returns the mean squared difference of the pairs mirrored about `axis`, over their overlap without the ends. It is
// normalised so that mere noise gives the same value for every axis. Otherwise axes at a quarter of a bin would seem to
// match better, as the mirrored positions then lie halfway between bins, where interpolation reduces noise most.
double mismatch(const std::vector<MirrorPair>& pairs, double axis)
{
    const int bins = static_cast<int>(pairs.front().here.size());
    const double margin = std::min(2 * blurBins + 1, bins / 8.0), end = bins - 1 - margin;
    const int first = static_cast<int>(std::ceil(std::max(margin, 2 * axis - end)));
    const int last = static_cast<int>(std::floor(std::min(end, 2 * axis - margin)));
    if (last - first < 2)
        return std::numeric_limits<double>::infinity();
    const int whole = static_cast<int>(std::floor(2 * axis));
    const std::array<double, 4> weights = cubicWeights(2 * axis - whole);
    double sum = 0;
    for (const MirrorPair& pair : pairs)
        for (int bin = first; bin <= last; ++bin) {
            double there = 0;
            for (int k = 0; k < 4; ++k)
                there += weights[k] * pair.opposite[std::clamp(whole - bin - 1 + k, 0, bins - 1)];
            sum += (pair.here[bin] - there) * (pair.here[bin] - there);
        }
    return sum / (last - first + 1) / (1 + noiseLeft(weights));
}

// Makes the pairs of some slices, with stripes subtracted, but not blurred yet.
std::vector<MirrorPair> makePairs(const Sinograms& sinograms, const std::vector<MirrorPairing>& pairings,
                                  const std::stop_token& stop)
{
    const int slices = std::min(sinograms.slices, 16);
    const int each = std::min(static_cast<int>(pairings.size()), std::max(1, mostPairs / slices));
    std::vector<MirrorPair> pairs(static_cast<std::size_t>(slices) * each);
    parallelFor(tbb::blocked_range<int>(0, slices, 1), [&](const tbb::blocked_range<int>& range) {
        for (int i = range.begin(); i < range.end(); ++i) {
            throwIfStopped(stop);
            const int slice = static_cast<int>((2LL * i + 1) * sinograms.slices / (2 * slices));
            const BinLine stripes = stripesOf(sinograms, slice);
            for (int k = 0; k < each; ++k) {
                const MirrorPairing& pairing = pairings[static_cast<std::size_t>(k) * pairings.size() / each];
                pairs[static_cast<std::size_t>(i) * each + k] = {evaluate(pairing.here, sinograms, slice, stripes),
                                                                 evaluate(pairing.opposite, sinograms, slice, stripes)};
            }
        }
    });
    return pairs;
}

void checkAxisInput(const Sinograms& sinograms, const std::vector<double>& anglesRad)
{
    const std::size_t expected = static_cast<std::size_t>(sinograms.slices) * sinograms.projections * sinograms.bins;
    if (expected == 0 || sinograms.values.size() != expected ||
        anglesRad.size() != static_cast<std::size_t>(sinograms.projections))
        throw Error(ErrorKind::badRequest, "The rotation axis can't be found: " + std::to_string(anglesRad.size()) +
                                               " angles for " + std::to_string(sinograms.projections) +
                                               " projections of " + std::to_string(sinograms.bins) + " bins.");
    if (!std::all_of(anglesRad.begin(), anglesRad.end(), [](double angle) { return std::isfinite(angle); }))
        throw Error(ErrorKind::badRequest, "The rotation axis can't be found: an angle is not a number.");
}

} // namespace

std::string inBins(double bins)
{
    return numberToText(std::round(bins * 100) / 100) + " bins";
}

std::optional<OppositeViews> matchOppositeViews(const Sinograms& sinograms, const std::vector<double>& anglesRad,
                                                int threads, const std::stop_token& stop)
{
    const std::vector<MirrorPairing> pairings = pairingsOf(arcOf(anglesRad));
    if (pairings.empty() || sinograms.bins < 16)
        return std::nullopt;
    tbb::task_arena arena = arenaOf(threads);
    std::vector<MirrorPair> pairs;
    arena.execute([&] { pairs = makePairs(sinograms, pairings, stop); });
    const CoarseMatch coarse = coarseMatch(pairs, stop);
    for (MirrorPair& pair : pairs)
        pair = {blurred(pair.here, blurBins), blurred(pair.opposite, blurBins)};
    const double step = std::max(1.0, sinograms.bins / static_cast<double>(coarseBins));
    const double bins = leastNear([&](double axis) { return mismatch(pairs, axis); }, coarse.axis, step, stop);
    return OppositeViews{std::clamp(bins, 0.0, sinograms.bins - 1.0), coarse.next, coarse.confidence};
}

std::optional<OppositeLines> oppositeLinesOf(const Sinograms& sinograms, const std::vector<double>& anglesRad)
{
    const std::vector<MirrorPairing> pairings = pairingsOf(arcOf(anglesRad));
    if (pairings.empty())
        return std::nullopt;
    const BinLine stripes = stripesOf(sinograms, 0);
    return OppositeLines{evaluate(pairings.front().here, sinograms, 0, stripes),
                         evaluate(pairings.front().opposite, sinograms, 0, stripes)};
}

Text axisDoubt(double bins, const Text& reason)
{
    return "The rotation axis, " + inBins(bins) + ", " + reason + " If edges are doubled in the slice, give the axis.";
}

AxisFound searchAxis(const Sinograms& sinograms, const std::vector<double>& anglesRad, int threads,
                     std::stop_token stop)
{
    checkAxisInput(sinograms, anglesRad);
    throwIfStopped(stop);
    if (const auto why = whyNoAxis(anglesRad))
        throw Error(ErrorKind::badRequest, noAxisText(*why));
    const auto byMass = [](const MassAxis& mass) {
        return AxisFound{mass.bins, "centre of mass alone", mass.consistent ? 0.8 : 0.2};
    };
    const auto opposite = matchOppositeViews(sinograms, anglesRad, threads, stop);
    if (!opposite) {
        const MassAxis mass = axisFromMass(sinograms, anglesRad);
        AxisFound found = byMass(mass);
        if (!mass.consistent)
            found.doubt = axisDoubt(found.bins,
                                    "is doubtful: no two projections are opposite, and the object seems to be cut off: "
                                    "its mass differs between projections, or it reaches the ends of the detector.");
        return found;
    }
    AxisFound found{opposite->bins, "opposite views alone", opposite->confidence};
    if (opposite->confidence >= sureAxis)
        return found;
    if (const MassAxis mass = axisFromMass(sinograms, anglesRad); mass.consistent) {
        found = byMass(mass);
        found.doubt = axisDoubt(found.bins, "is the centre of mass: opposite views match hardly better at " +
                                                inBins(opposite->bins) + " than at " + inBins(opposite->next) + ".");
        return found;
    }
    found.doubt = axisDoubt(found.bins, "is doubtful: opposite views match hardly better there than at " +
                                            inBins(opposite->next) + ".");
    return found;
}

namespace
{

AxisFound orMiddle(const Sinograms& row, const Geometry& geometry, AxisFound found)
{
    const auto why = whyNoAxis(row);
    return why ? middleAsAxis(geometry, *why) : std::move(found);
}

} // namespace

AxisFound searchAxis(const Sinograms& row, const Geometry& geometry, int threads, std::stop_token stop)
{
    if (const auto* cone = std::get_if<ConeBeam>(&geometry))
        return orMiddle(row, geometry, findConeAxis(row, *cone, threads, stop));
    return orMiddle(row, geometry,
                    searchAxis(row, parallelBeamOf(geometry, "finding the axis").anglesRad, threads, stop));
}

RowRange axisRowOf(const Scan& scan)
{
    if (const auto* cone = std::get_if<ConeBeam>(&scan.geometry); cone && cone->isCircle())
        return {static_cast<int>(std::lround(std::clamp(cone->centralRow, 0.0, scan.rows - 1.0))), 1};
    return {scan.rows / 2, 1};
}

} // namespace engine
