// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/guess/line_integrals.h"
#include "engine/guess/turn_evidence.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace engine
{

namespace
{

constexpr int mostBins = 96;
constexpr int mostMirrorLines = 72; // in the search through all distances
constexpr double mirrorBlur = 1.5;

using Slopes = std::vector<float>;

// What is subtracted from all projections. Stripes stay at the same bin and would disturb the comparison with mirror
// images. For a full turn, everything that the projections have in common can be subtracted: it is symmetric about the
// axis, so mirror images remain mirror images, even if the object is cut off.
enum class Common { stripes, all };

// Slopes of the projections, with joined bins, blurred against noise, without what the projections have in common.
class Outlines
{
  public:
    Outlines(const TurnLines& lines, Common common)
        : m_factor((lines.bins + mostBins - 1) / mostBins), m_which(lines.which)
    {
        bins = lines.bins / m_factor;
        const std::vector<double> mean = common == Common::all ? meanOf(lines) : stripesOf(meanOf(lines));
        for (std::size_t k = 0; k < m_which.size(); ++k) {
            std::vector<double> joined(static_cast<std::size_t>(bins));
            for (int bin = 0; bin < bins * m_factor; ++bin)
                joined[bin / m_factor] +=
                    (lines.values[k * lines.bins + bin] - mean[static_cast<std::size_t>(bin)]) / m_factor;
            slopes.push_back(slopesOf(joined));
        }
        for (const Slopes& each : slopes)
            energy += energyIn(each, 0, bins - 1) / static_cast<double>(slopes.size());
    }

    static double energyIn(const Slopes& line, int first, int last)
    {
        double sum = 0;
        for (int bin = first; bin <= last; ++bin)
            sum += static_cast<double>(line[bin]) * line[bin];
        return sum;
    }
    // Returns the index of a projection among those available; −1 if it is missing.
    int placeOf(int projection) const
    {
        const auto found = std::ranges::lower_bound(m_which, projection);
        return found != m_which.end() && *found == projection ? static_cast<int>(found - m_which.begin()) : -1;
    }

    std::vector<Slopes> slopes; // per projection
    int bins = 0;
    double energy = 0; // mean energy of a projection

  private:
    std::vector<double> meanOf(const TurnLines& lines) const
    {
        std::vector<double> mean(static_cast<std::size_t>(lines.bins));
        for (std::size_t k = 0; k < lines.values.size(); ++k)
            mean[k % mean.size()] += lines.values[k] / static_cast<double>(m_which.size());
        return mean;
    }
    // Returns the part that changes from bin to bin.
    static std::vector<double> stripesOf(const std::vector<double>& mean)
    {
        constexpr int reach = 4;
        const int bins = static_cast<int>(mean.size());
        std::vector<double> stripes = mean;
        for (int bin = 0; bin < bins; ++bin) {
            std::array<double, 2 * reach + 1> window{};
            for (int k = -reach; k <= reach; ++k)
                window[static_cast<std::size_t>(k + reach)] =
                    mean[static_cast<std::size_t>(std::clamp(bin + k, 0, bins - 1))];
            std::ranges::nth_element(window, window.begin() + reach);
            stripes[static_cast<std::size_t>(bin)] -= window[reach];
        }
        return stripes;
    }
    Slopes slopesOf(const std::vector<double>& line) const
    {
        constexpr int reach = 5;
        std::vector<double> smooth(line.size());
        for (int bin = 0; bin < bins; ++bin) {
            double sum = 0, weights = 0;
            for (int k = -reach; k <= reach; ++k) {
                const double weight = std::exp(-k * k / (2 * mirrorBlur * mirrorBlur));
                sum += weight * line[static_cast<std::size_t>(std::clamp(bin + k, 0, bins - 1))];
                weights += weight;
            }
            smooth[static_cast<std::size_t>(bin)] = sum / weights;
        }
        Slopes slopes(line.size());
        for (int bin = 2; bin + 2 < bins; ++bin) // not at the ends, where the object may be cut off
            slopes[bin] = static_cast<float>(smooth[bin + 1] - smooth[bin - 1]) / 2;
        return slopes;
    }

    int m_factor;
    std::vector<int> m_which;
};

// Pairs of projections, as indices of Outlines::slopes.
using Pairs = std::vector<std::pair<int, int>>;

struct Unlikeness {
    double value = std::numeric_limits<double>::infinity();
    int doubledAxis = 0;
};

// Returns the least unlikeness of pairs mirrored about an axis in the middle six tenths of the detector: the difference
// in the overlap divided by the energy there. A small overlap, with little energy, makes the difference count less.
Unlikeness mirroredAtBest(const Outlines& outlines, const Pairs& pairs)
{
    const auto bins = static_cast<std::size_t>(outlines.bins);
    std::vector<double> match(2 * bins); // per axis, given as twice its bin: Σ here[bin]·there[doubledAxis − bin]
    std::vector<double> energy(bins);    // per bin, of both of each pair
    for (const auto& [a, b] : pairs) {
        const Slopes &here = outlines.slopes[a], &there = outlines.slopes[b];
        for (std::size_t bin = 0; bin < bins; ++bin) {
            const double slope = here[bin];
            double* sums = match.data() + bin;
            for (std::size_t k = 0; k < bins; ++k)
                sums[k] += slope * there[k];
            energy[bin] += slope * slope + static_cast<double>(there[bin]) * there[bin];
        }
    }
    std::vector<double> before(bins + 1); // energy of the bins before each
    std::inclusive_scan(energy.begin(), energy.end(), before.begin() + 1);
    const double enough = 1.2 * outlines.energy * static_cast<double>(pairs.size());
    Unlikeness least;
    for (int doubled = outlines.bins * 2 / 5; doubled <= outlines.bins * 8 / 5; ++doubled) {
        const int first = std::max(0, doubled - outlines.bins + 1), last = std::min(outlines.bins - 1, doubled);
        const double overlap = std::max(before[last + 1] - before[first], enough);
        // Slopes change sign in a mirror.
        const double value = overlap > 0 ? 1 + 2 * match[doubled] / overlap : 1;
        if (value < least.value)
            least = {value, doubled};
    }
    return least;
}

double asTheyAre(const Outlines& outlines, const Pairs& pairs)
{
    double difference = 0;
    for (const auto& [a, b] : pairs)
        for (int bin = 0; bin < outlines.bins; ++bin) {
            const double each = static_cast<double>(outlines.slopes[a][bin]) - outlines.slopes[b][bin];
            difference += each * each;
        }
    const double energy = 2 * outlines.energy * static_cast<double>(pairs.size());
    return energy > 0 ? difference / energy : 1;
}

Pairs pairsAt(const Outlines& outlines, const TurnLines& lines, int distance, int every)
{
    Pairs pairs;
    for (int k = 0; k + distance < lines.projections; k += every)
        if (const int a = outlines.placeOf(k), b = outlines.placeOf(k + distance); a >= 0 && b >= 0)
            pairs.emplace_back(a, b);
    return pairs;
}

// Mean squared difference of pairs, with one of each pair mirrored, for three neighbouring axes, half a bin apart.
// Between these it is nearly a parabola.
struct NearAxis {
    std::array<double, 3> values{};

    double at(double offset) const
    {
        const auto& [before, here, after] = values;
        return here + offset * (after - before) / 2 + offset * offset * (before - 2 * here + after) / 2;
    }
};

NearAxis differencesOf(const Outlines& outlines, const Pairs& pairs, int doubledAxis)
{
    NearAxis near;
    for (int k = 0; k < 3; ++k) {
        const int doubled = doubledAxis + k - 1;
        const int first = std::max(0, doubled - outlines.bins + 1), last = std::min(outlines.bins - 1, doubled);
        for (const auto& [a, b] : pairs) {
            const Slopes &here = outlines.slopes[a], &there = outlines.slopes[b];
            double sum =
                Outlines::energyIn(here, 0, outlines.bins - 1) + Outlines::energyIn(there, 0, outlines.bins - 1);
            for (int bin = first; bin <= last; ++bin)
                sum += 2 * static_cast<double>(here[bin]) * there[doubled - bin];
            near.values[k] += sum / static_cast<double>(pairs.size());
        }
    }
    return near;
}

// Returns the offset from the axis at which the sum of all differences is least.
double bestOffset(const std::vector<NearAxis>& all)
{
    NearAxis sum;
    for (const NearAxis& each : all)
        for (int k = 0; k < 3; ++k)
            sum.values[k] += each.values[k];
    const auto& [before, here, after] = sum.values;
    const double curve = before - 2 * here + after;
    return curve > 0 ? std::clamp((before - after) / (2 * curve), -1.0, 1.0) : 0;
}

// Returns the evidence for one hypothesis against another: the logarithm of the likelihood ratio. It is computed from
// the sums of squares that remain of `count` values after a fit with either hypothesis.
double evidence(double leftOfOne, double leftOfOther, std::size_t count)
{
    const double least = 1e-12 * (leftOfOne + leftOfOther) + std::numeric_limits<double>::min();
    return 0.5 * static_cast<double>(count) * std::log((leftOfOther + least) / (leftOfOne + least));
}

// Subtracts the component along a unit vector.
template <typename From, typename Unit>
void takePartOff(From& from, const Unit& unit)
{
    const double part = scalarProduct(from, unit);
    for (std::size_t k = 0; k < from.size(); ++k)
        from[k] -= part * unit[k];
}

// Returns the sum of squares left by the best fit of a + b·|x| + c·x², x being the distance from a place.
double leftBy(const std::vector<std::pair<double, double>>& points, double place)
{
    std::vector<std::vector<double>> basis(3);
    std::vector<double> left;
    for (const auto& [at, value] : points) {
        basis[0].push_back(1);
        basis[1].push_back(std::abs(at - place));
        basis[2].push_back((at - place) * (at - place));
        left.push_back(value);
    }
    for (std::size_t i = 0; i < basis.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j)
            takePartOff(basis[i], basis[j]);
        const double norm = std::sqrt(scalarProduct(basis[i], basis[i]));
        for (double& value : basis[i])
            value /= norm > 1e-9 ? norm : 1;
        takePartOff(left, basis[i]);
    }
    return scalarProduct(left, left);
}

// Compares projections about half the scan apart, at the axis that fits there: those of a full turn match best at a
// distance of P/2 without the end, and of (P − 1)/2 with it.
void lookHalfWay(const Outlines& outlines, const TurnLines& lines, MirrorMatch& made)
{
    constexpr int reach = 4;
    const int middle = lines.projections / 2;
    int best = middle;
    Unlikeness least;
    for (int distance = middle - 2; distance <= middle + 2; ++distance)
        if (const Unlikeness each = mirroredAtBest(outlines, pairsAt(outlines, lines, distance, 1));
            each.value < least.value) {
            least = each;
            best = distance;
        }
    made.halfWay = least.value;
    made.halfDistance = best;
    std::vector<int> distances;
    std::vector<NearAxis> near;
    for (int distance = best - reach; distance <= best + reach; ++distance)
        if (const Pairs pairs = pairsAt(outlines, lines, distance, 1); !pairs.empty()) {
            distances.push_back(distance);
            near.push_back(differencesOf(outlines, pairs, least.doubledAxis));
        }
    const double offset = bestOffset(near);
    std::vector<std::pair<double, double>> points;
    for (std::size_t k = 0; k < near.size(); ++k)
        points.emplace_back(distances[k], near[k].at(offset));
    if (points.size() < 2 * reach)
        return;
    made.fullWithoutEnd =
        evidence(leftBy(points, lines.projections / 2.0), leftBy(points, (lines.projections - 1) / 2.0), points.size());
}

// Joins the last projections with the first ones, which are mirrored about an axis (given as twice its bin). Fits a
// cubic over the angle in each bin that all of them have, and returns the sum of squares left, averaged over these
// bins. With the end, the last projection and the first one have the same angle; without it, they are one step apart.
double leftOfJoin(const std::array<const Slopes*, 8>& join, int bins, double doubledAxis, bool withoutEnd)
{
    constexpr int half = 4, degree = 3;
    std::array<std::array<double, 8>, degree + 1> basis{};
    for (int k = 0; k < 2 * half; ++k) {
        const double at = k < half ? k - (half - 1.0) : k - half + (withoutEnd ? 1.0 : 0.0);
        for (int power = 0; power <= degree; ++power)
            basis[power][k] = std::pow((at - (withoutEnd ? 0.5 : 0)) / half, power);
    }
    for (int i = 0; i <= degree; ++i) {
        for (int j = 0; j < i; ++j)
            takePartOff(basis[i], basis[j]);
        const double norm = std::sqrt(scalarProduct(basis[i], basis[i]));
        for (double& value : basis[i])
            value /= norm;
    }
    const int first = std::max(2, static_cast<int>(std::ceil(doubledAxis)) - bins + 3);
    const int last = std::min(bins - 3, static_cast<int>(std::floor(doubledAxis)) - 2);
    double sum = 0;
    for (int bin = first; bin <= last; ++bin) {
        const double there = doubledAxis - bin;
        const int below = static_cast<int>(std::floor(there));
        const double part = there - below;
        std::array<double, 8> values{};
        for (int k = 0; k < half; ++k)
            values[k] = (*join[k])[bin];
        for (int k = half; k < 2 * half; ++k)
            values[k] = -((1 - part) * (*join[k])[below] + part * (*join[k])[below + 1]);
        for (const auto& unit : basis)
            takePartOff(values, unit);
        sum += scalarProduct(values, values);
    }
    return last > first ? sum / (last - first + 1) : std::numeric_limits<double>::infinity();
}

// Determines whether half a turn includes its end.
void lookAtEnd(const Outlines& outlines, const TurnLines& lines, int doubledAxis, MirrorMatch& made)
{
    std::array<const Slopes*, 8> join{};
    for (int k = 0; k < 4; ++k) {
        const int before = outlines.placeOf(lines.projections - 4 + k), after = outlines.placeOf(k);
        if (before < 0 || after < 0)
            return;
        join[k] = &outlines.slopes[before];
        join[k + 4] = &outlines.slopes[after];
    }
    double with = std::numeric_limits<double>::infinity(), without = with;
    for (int eighth = -24; eighth <= 24; ++eighth) {
        const double axis = doubledAxis + eighth / 8.0;
        with = std::min(with, leftOfJoin(join, outlines.bins, axis, false));
        without = std::min(without, leftOfJoin(join, outlines.bins, axis, true));
    }
    constexpr int together = 4; // number of neighbours that the blur makes alike
    made.halfWithoutEnd = evidence(without, with, static_cast<std::size_t>(outlines.bins / together));
}

// Compares the last projections with the first ones: equal if a full turn is closed, mirrored if half a turn is.
void lookAtJoin(const Outlines& outlines, const TurnLines& lines, MirrorMatch& made)
{
    constexpr int few = 3;
    Pairs join;
    for (int i = 0; i < few; ++i)
        for (int j = 0; i + j < few; ++j)
            if (const int a = outlines.placeOf(lines.projections - 1 - i), b = outlines.placeOf(j); a >= 0 && b >= 0)
                join.emplace_back(a, b);
    if (const Pairs near = pairsAt(outlines, lines, few - 1, 1); !near.empty())
        made.neighbours = asTheyAre(outlines, near);
    if (join.empty())
        return;
    made.plainJoin = asTheyAre(outlines, join);
    const Unlikeness mirroredLast = mirroredAtBest(outlines, join);
    made.mirroredJoin = mirroredLast.value;
    lookAtEnd(outlines, lines, mirroredLast.doubledAxis, made);
}

// Returns whether there is a place where the projections after it differ far more from those before it than elsewhere:
// frames are missing, or in another order. A single bad frame is not a jump.
bool jumpsIn(const Outlines& outlines, const TurnLines& lines)
{
    constexpr double clearly = 8, ofNext = 4; // relative to the usual difference, and to that of the next projections
    std::vector<double> steps;
    double most = 0;
    const auto between = [&](int a, int b) {
        return asTheyAre(outlines, {{outlines.placeOf(a), outlines.placeOf(b)}});
    };
    for (int k = 1; k + 2 < lines.projections; ++k) {
        if (outlines.placeOf(k - 1) < 0 || outlines.placeOf(k) < 0 || outlines.placeOf(k + 1) < 0 ||
            outlines.placeOf(k + 2) < 0)
            continue;
        const double step = std::min({between(k, k + 1), between(k - 1, k + 1), between(k, k + 2)});
        steps.push_back(step);
        if (step > ofNext * std::max(between(k - 1, k), between(k + 1, k + 2)))
            most = std::max(most, step);
    }
    if (steps.size() < 12)
        return false;
    const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
    std::ranges::nth_element(steps, middle);
    return most > clearly * *middle && most > 0.2;
}

// Compares projections at equal distances from both ends of the scan with neighbours and with projections a quarter
// of the scan apart.
bool isThereAndBack(const Outlines& outlines, const TurnLines& lines, double neighbours)
{
    Pairs pairs;
    for (int k = 0; 2 * k < lines.projections; ++k)
        if (const int a = outlines.placeOf(k), b = outlines.placeOf(lines.projections - 1 - k); a >= 0 && b >= 0)
            pairs.emplace_back(a, b);
    if (pairs.size() < 6)
        return false;
    const double backwards = asTheyAre(outlines, pairs);
    const double quarter = asTheyAre(outlines, pairsAt(outlines, lines, lines.projections / 4, 1));
    return (backwards < 0.25 * quarter && quarter > 0.1 && backwards < 2.5 * neighbours) ||
           (backwards < 1.5 * neighbours && quarter > 3 * neighbours);
}

} // namespace

MirrorMatch mirrorMatchOf(const TurnLines& lines)
{
    MirrorMatch made{.usual = 1, .best = 1, .halfWay = 1, .neighbours = 1, .mirroredJoin = 1, .plainJoin = 1};
    const Outlines outlines(lines, Common::all);
    if (lines.projections < 12 || outlines.bins < 16 || !(outlines.energy > 0))
        return made;
    const int every = (lines.projections + mostMirrorLines - 1) / mostMirrorLines;
    made.coarse = every;
    // Projections close to each other are alike anyway, and there are few pairs far apart.
    const int margin = std::max(2, lines.projections / 12 / every);
    std::vector<double> all;
    for (int k = margin; (k + margin) * every < lines.projections; ++k) {
        const Unlikeness each = mirroredAtBest(outlines, pairsAt(outlines, lines, k * every, every));
        all.push_back(each.value);
        if (each.value < made.best) {
            made.best = each.value;
            made.bestDistance = k * every;
        }
    }
    if (all.empty())
        return made;
    std::ranges::nth_element(all, all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2));
    made.usual = all[all.size() / 2];
    lookHalfWay(outlines, lines, made);
    lookAtJoin(Outlines(lines, Common::stripes), lines, made);
    made.jumps = jumpsIn(outlines, lines);
    made.isThereAndBack = isThereAndBack(outlines, lines, made.neighbours);
    return made;
}

} // namespace engine
