// SPDX-License-Identifier: GPL-3.0-or-later
// Over a full turn, each projection is seen again from behind, mirrored. Both views are alike where the halves of the
// turn overlap, however narrow the overlap is.
#include "engine/axis/curve.h"
#include "engine/axis/method.h"
#include "engine/axis/opposite_views.h"
#include "engine/base/error.h"
#include "engine/base/parallel_for.h"
#include "engine/scan/geometry.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace engine
{

namespace
{

using std::numbers::pi;

constexpr double leastOverlap = 0.04; // share of the bins

// Pairs of projections: front[k], and back[k], the projection whose angle is nearest to the opposite one.
struct TurnedPairs {
    std::vector<BinLine> front, back;
};

TurnedPairs turnedPairsOf(const AxisSearch& search, const ReducedRow& turn)
{
    TurnedPairs pairs;
    const int count = turn.row.projections, bins = turn.row.bins;
    const auto line = [&](int k) {
        const float* from = turn.row.values.data() + static_cast<std::size_t>(k) * bins;
        return blurred(BinLine(from, from + bins), 1);
    };
    const auto apart = [&](int a, int b) {
        return std::abs(std::remainder(turn.anglesRad[a] + pi - turn.anglesRad[b], 2 * pi));
    };
    for (int k = 0; k < count; ++k) {
        throwIfStopped(search.stop);
        int opposite = 0;
        for (int other = 1; other < count; ++other)
            if (apart(k, other) < apart(k, opposite))
                opposite = other;
        if (k < opposite && apart(k, opposite) < 4 * pi / count) {
            pairs.front.push_back(line(k));
            pairs.back.push_back(line(opposite));
        }
    }
    return pairs;
}

// Returns 1 − the correlation over the overlap of all pairs, with the mean of each line subtracted.
double unlike(const TurnedPairs& pairs, double axis)
{
    const int bins = static_cast<int>(pairs.front.front().size());
    const double margin = std::min(3.0, bins / 16.0), end = bins - 1 - margin;
    const int first = static_cast<int>(std::ceil(std::max(margin, 2 * axis - end)));
    const int last = static_cast<int>(std::floor(std::min(end, 2 * axis - margin)));
    const int count = last - first + 1;
    if (count < std::max(6.0, leastOverlap * bins))
        return std::numeric_limits<double>::infinity();
    double both = 0, fronts = 0, backs = 0;
    for (std::size_t k = 0; k < pairs.front.size(); ++k) {
        const BinLine &front = pairs.front[k], &back = pairs.back[k];
        double f = 0, b = 0, ff = 0, bb = 0, fb = 0;
        for (int bin = first; bin <= last; ++bin) {
            const double mirrored = 2 * axis - bin;
            const int i = std::min(static_cast<int>(mirrored), bins - 2);
            const double there = back[i] + (mirrored - i) * (back[i + 1] - back[i]), here = front[bin];
            f += here;
            b += there;
            ff += here * here;
            bb += there * there;
            fb += here * there;
        }
        both += fb - f * b / count;
        fronts += ff - f * f / count;
        backs += bb - b * b / count;
    }
    const double energy = std::sqrt(fronts * backs);
    return energy > 0 ? 1 - both / energy : std::numeric_limits<double>::infinity();
}

AxisGuess bestOverlap(const AxisSearch& search)
{
    const std::vector<int> order = arcOf(search.beam.anglesRad).order;
    const ReducedRow coarseTurn = reduced(search, 512, 128, order), fineTurn = reduced(search, 4096, 128, order);
    const TurnedPairs coarse = turnedPairsOf(search, coarseTurn), fine = turnedPairsOf(search, fineTurn);
    if (coarse.front.empty() || fine.front.empty())
        return {search.beam.middleBins(), 0};
    AxisCurve curve{coarseTurn.toBins(0), coarseTurn.factor / 2.0, std::vector<double>(2 * coarseTurn.row.bins - 1)};
    parallelFor(0, static_cast<int>(curve.values.size()), [&](int k) {
        throwIfStopped(search.stop);
        curve.values[k] = unlike(coarse, k / 2.0);
    });
    AxisGuess guess = leastOf(curve, std::max(4.0, search.row.bins / 50.0));
    const double start = fineTurn.toReduced(guess.bins), step = std::max(.5, .5 * coarseTurn.factor / fineTurn.factor);
    guess.bins = fineTurn.toBins(leastNear([&](double axis) { return unlike(fine, axis); }, start, step, search.stop));
    return guess;
}

} // namespace

const AxisMethod overlapAxis = {
    .id = "overlap",
    .label = "360° overlap",
    .summary = "Finds where the halves of a full turn, one of them mirrored, correlate best, even in a narrow overlap: "
               "for an axis near an edge of the detector.",
    .reference = "Vo et al., Opt. Express 29 (2021) 17849, doi:10.1364/OE.418448",
    .trust = 0.9,
    .errorBins = 0.06,
    .isQuick = true,
    .unsuited = [](const AxisSearch& search) -> std::optional<std::string> {
        const Arc arc = arcOf(search.beam.anglesRad);
        if (arc.length() + 1.5 * arc.step < 2 * pi)
            return "It needs a full turn.";
        if (search.row.bins < 32)
            return "It needs at least 32 bins.";
        return std::nullopt;
    },
    .find = bestOverlap,
};

} // namespace engine
