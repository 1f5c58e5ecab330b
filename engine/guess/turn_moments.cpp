// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/guess/turn_evidence.h"

#include "engine/guess/line_moments.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

namespace engine
{

namespace
{

using std::numbers::pi;

constexpr double muchShare = 0.002;  // large share of the centre's motion left by even steps: 0.0013 in a real scan
constexpr double someShare = 0.0003; // smaller shares may come from positions between bins

AngleOf by(const AngleSteps& steps)
{
    return [steps](double at) {
        const double angle = steps.firstRad + steps.stepRad * at;
        return steps.wrapRad > 0 ? angle - steps.wrapRad * std::floor(angle / steps.wrapRad) : angle;
    };
}

// Returns the variance of a moment due to noise, estimated from second differences between bins; edges of the object
// increase it.
double noiseOf(const TurnLines& lines, const OrderMoments& moments, int order)
{
    const auto [first, end] = binsOfObject(lines);
    double squares = 0, mass = 0;
    for (std::size_t k = 0; k < lines.which.size(); ++k) {
        const float* line = lines.values.data() + k * static_cast<std::size_t>(lines.bins);
        for (int bin = first + 1; bin + 1 < end; ++bin) {
            const double bend = line[bin - 1] - 2.0 * line[bin] + line[bin + 1];
            squares += bend * bend / 6;
        }
        mass += moments.mass[k] / static_cast<double>(lines.which.size());
    }
    const double width = end - first, variance = squares / (width * static_cast<double>(lines.which.size()));
    const double sum = order == 1 ? std::pow(width, 3) / 12 : std::pow(width, 5) / 180;
    return variance * sum / (mass * mass);
}

// Returns whether an even step leaves more of the centre's motion than noise: a large share of it, or a share of which
// growing or shrinking steps explain more than a third.
bool leavesMotion(const MomentSeries& series, double stepRad, double span, double motion)
{
    const HarmonicFit even(series, 1, anglesEvenly(stepRad));
    const double share = even.squares() / motion;
    if (share < someShare || neighbourLikeness(even.residual) < 0.6)
        return false;
    double least = even.squares();
    for (const double bend : {-0.4, -0.3, -0.2, -0.1, 0.1, 0.2, 0.3, 0.4}) {
        const auto bent = [&](double at) { return stepRad * (at + bend * at * (1 - at / span)); };
        least = std::min(least, HarmonicFit(series, 1, bent).squares());
    }
    return share > muchShare || least < 0.65 * even.squares();
}

// Candidate angles to which the moments are compared: even steps, golden steps, and the given angles.
struct Candidates {
    std::vector<double> steps; // arcs from 60° to 4 turns, in equal steps of the arc; then turnHypotheses
    std::vector<AngleOf> angles;

    explicit Candidates(const TurnLines& lines)
    {
        const double span = std::max(1, lines.projections - 1);
        for (double arc = pi / 3; arc < 8 * pi; arc += pi / 180)
            steps.push_back(arc / span);
        for (const TurnHypothesis& each : turnHypotheses)
            steps.push_back(each.stepRad(lines.projections));
        for (const double step : steps)
            angles.push_back(anglesEvenly(step));
        for (const AngleSteps& each : goldenSteps())
            angles.push_back(by(each));
        if (!lines.givenRad.empty())
            angles.push_back(anglesAsGiven(lines));
    }
};

// Misfits of the candidates, in units of the noise of the moments.
struct Misfits {
    std::vector<double> values;
    bool movesEvenly = false, movesUnevenly = false; // whether the centre or the width does
    std::vector<std::pair<int, double>> moving;      // orders of these, and their sums of squares
};

Misfits misfitsOf(const OrderMoments& moments, const Candidates& candidates)
{
    Misfits made;
    made.values.resize(candidates.angles.size());
    std::array<std::vector<double>, momentOrders> left; // sums of squares per order and candidate
    for (const AngleOf& candidate : candidates.angles) {
        const Harmonics harmonics(moments.series[0], candidate, momentOrders); // all series have the same projections
        for (int order = 1; order <= momentOrders; ++order)
            left[order - 1].push_back(HarmonicFit(moments.series[order - 1], order, harmonics).squares());
    }
    for (int order = 1; order <= momentOrders; ++order) {
        const MomentSeries& series = moments.series[static_cast<std::size_t>(order - 1)];
        const std::vector<double>& squares = left[order - 1];
        const std::size_t best = static_cast<std::size_t>(std::ranges::min_element(squares) - squares.begin());
        const double variance =
            varianceOfFit(HarmonicFit(series, order, candidates.angles[best]), errorOfBins(order, moments.width));
        for (std::size_t k = 0; k < made.values.size(); ++k)
            made.values[k] += squares[k] / variance;
        const double motion = motionOf(moments, order);
        if (order <= 2 && std::isfinite(motion)) {
            made.moving.push_back({order, motion});
            (squares[best] > 0.5 * motion ? made.movesUnevenly : made.movesEvenly) = true;
        }
    }
    return made;
}

std::size_t leastOf(std::span<const double> values)
{
    return static_cast<std::size_t>(std::ranges::min_element(values) - values.begin());
}

} // namespace

std::span<const AngleSteps> goldenSteps()
{
    // Rounded as they are usually written: half a turn divided by the golden ratio, the rest of half a turn, and a
    // full turn divided by the square of the golden ratio.
    static constexpr double half = 111.246118 * pi / 180, rest = 68.753882 * pi / 180, full = 137.507764 * pi / 180;
    static constexpr std::array steps = {AngleSteps{0, half}, AngleSteps{0, rest}, AngleSteps{0, full},
                                         AngleSteps{0, half, pi}, AngleSteps{0, full, pi}};
    return steps;
}

double TurnHypothesis::stepRad(int projections) const
{
    return halfTurns * pi / std::max(1, endExcluded ? projections : projections - 1);
}

AngleSpread TurnHypothesis::spread() const
{
    return {0, halfTurns * pi, endExcluded};
}

bool contradictsGiven(const TurnLines& lines)
{
    constexpr double manyNoises = 10; // variances
    constexpr std::size_t fewest = 12;
    const OrderMoments moments = measureMoments(lines);
    const std::size_t count = moments.series[0].at.size();
    if (count < fewest || count < lines.which.size() || !(moments.width > 0))
        return false;
    bool widthMoves = false;
    for (int order = 1; moments.isUsable && order <= 2; ++order) {
        const MomentSeries& series = moments.series[static_cast<std::size_t>(order - 1)];
        const double motion = motionOf(moments, order);
        if (!std::isfinite(motion))
            continue;
        const HarmonicFit fit(series, order, anglesAsGiven(lines));
        const double noise = noiseOf(lines, moments, order);
        const bool isStructured = neighbourLikeness(fit.residual) > 0.6 || fit.squares() > manyNoises * noise * count;
        if (fit.squares() < unfitShare * motion || !isStructured)
            return false;
        widthMoves = order == 2;
    }
    return widthMoves;
}

bool fitsGiven(const TurnLines& lines)
{
    const OrderMoments moments = measureMoments(lines);
    const std::size_t count = moments.series[0].at.size();
    if (count < 12 || count < lines.which.size() || !(moments.width > 0))
        return true;
    for (int order = 1; moments.isUsable && order <= 2; ++order) {
        const MomentSeries& series = moments.series[static_cast<std::size_t>(order - 1)];
        if (!explainsMotion({series, order, anglesAsGiven(lines)}, motionOf(moments, order)))
            return false;
    }
    return true;
}

TurnMoments momentsOf(const TurnLines& lines)
{
    TurnMoments made;
    const OrderMoments moments = measureMoments(lines);
    made.isCut = moments.isCut;
    const std::size_t count = moments.series[0].at.size();
    if (count < 12 || count < lines.which.size() || !(moments.width > 0))
        return made;
    made.isUsable = moments.isUsable;
    made.isStill = moments.isStill;
    if (!made.isUsable)
        return made;

    const Candidates candidates(lines);
    const std::vector<double>& steps = candidates.steps;
    const Misfits misfits = misfitsOf(moments, candidates);
    const auto evens = std::span(misfits.values).first(steps.size()),
               goldens = std::span(misfits.values).subspan(steps.size(), goldenSteps().size()),
               usual = evens.last(turnHypotheses.size());
    const std::size_t best = leastOf(evens), golden = leastOf(goldens);
    const std::size_t firstUsual = steps.size() - turnHypotheses.size(), likeliest = firstUsual + leastOf(usual);
    if (goldens[golden] < evens[best]) {
        made.golden = goldenSteps()[golden];
        made.evenMisfit = evens[best] - goldens[golden];
    }
    if (!lines.givenRad.empty())
        made.givenMisfit = misfits.values.back() - evens[best];
    for (const auto& [order, motion] : misfits.moving) {
        const MomentSeries& series = moments.series[static_cast<std::size_t>(order - 1)];
        const auto left = [&, order = order, motion = motion](std::size_t candidate) {
            return HarmonicFit(series, order, candidates.angles[candidate]).squares() / motion;
        };
        if (order == 1) // not for the width: if the beam hardens, even the right step doesn't explain it exactly
            made.isInexact = leavesMotion(series, steps[likeliest], std::max(1, lines.projections - 1), motion);
        if (order == 1 && !lines.givenRad.empty()) {
            const HarmonicFit given(series, order, candidates.angles.back());
            made.givenLeaveMotion = given.squares() > unfitShare * motion && neighbourLikeness(given.residual) > 0.6;
        }
        made.evenLeft = std::max(made.evenLeft, left(best));
        made.goldenLeft = std::max(made.goldenLeft, left(steps.size() + golden));
    }
    made.stepRad = steps[best];
    made.isUneven = misfits.movesUnevenly && !misfits.movesEvenly;
    for (const double misfit : evens.first(firstUsual)) // one per degree
        made.rangeDeg += misfit - evens[best] < 9 ? 1 : 0;
    for (std::size_t k = 0; k < turnHypotheses.size(); ++k)
        made.misfit[k] = usual[k] - evens[best];
    return made;
}

} // namespace engine
