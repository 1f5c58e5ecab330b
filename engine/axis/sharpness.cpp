// SPDX-License-Identifier: GPL-3.0-or-later
// Search for the axis by the sharpness of trial slices: coarse slices over the middle half of the detector, then
// finer ones around the sharpest.
#include "engine/axis/curve.h"
#include "engine/axis/method.h"
#include "engine/axis/opposite_views.h"
#include "engine/axis/trial_slices.h"
#include "engine/base/error.h"

#include <algorithm>
#include <cmath>

namespace engine
{

namespace
{

AxisGuess sharpest(const AxisSearch& search, double Sharpness::*measure)
{
    // Only half a turn is used: over a full turn a wrong axis makes rings, which count as sharp, and rays are
    // weighted if the axis is off-centre (Wang).
    const std::vector<int> order = halfTurnOf(search.beam.anglesRad);
    const ReducedRow coarseRow = reduced(search, 128, 180, order), fineRow = reduced(search, 384, 256, order);
    const TrialSlices coarse(coarseRow, search.threads), fine(fineRow, search.threads);
    // Only the middle half is searched. A trial slice with the axis near an edge of the detector lacks most of the
    // object, and a slice that shows less of the object has better measures of sharpness.
    const int bins = coarseRow.row.bins, first = bins / 4, last = bins - 1 - first;
    const auto range = [&](const TrialSlices& slices, double axis) {
        const Volume image = slices.slice(axis, search.stop);
        const auto [least, most] = std::ranges::minmax(image.values);
        return std::pair(double(least - (most - least) / 4), double(most + (most - least) / 4));
    };
    const auto [from, to] = range(coarse, (bins - 1) / 2.0);
    AxisCurve curve{coarseRow.toBins(first), coarseRow.factor / 1.0, {}};
    for (int axis = first; axis <= last; ++axis) {
        throwIfStopped(search.stop);
        curve.values.push_back(sharpnessOf(coarse.slice(axis, search.stop).values, bins, from, to).*measure);
    }
    AxisGuess guess = leastOf(curve, std::max(4.0, search.row.bins / 50.0));
    const double step = std::max(.5, .5 * coarseRow.factor / fineRow.factor);
    const int size = fineRow.row.bins;
    const auto [fineFrom, fineTo] = range(fine, fineRow.toReduced(guess.bins));
    guess.bins = fineRow.toBins(leastNear(
        [&, low = fineFrom, high = fineTo](double axis) {
            return sharpnessOf(fine.slice(axis, search.stop).values, size, low, high).*measure;
        },
        fineRow.toReduced(guess.bins), step, search.stop));
    guess.score *= likenessAbout(search, guess.bins);
    return guess;
}

std::optional<std::string> tooFew(const AxisSearch& search)
{
    if (search.row.projections < 16 || search.row.bins < 32)
        return "Slices from fewer than 16 projections or 32 bins consist of streaks, whatever the axis.";
    return std::nullopt;
}

} // namespace

const AxisMethod entropyAxis = {
    .id = "entropy",
    .label = "Entropy",
    .summary = "The axis whose slice has the least entropy of its histogram.",
    .reference = "Donath et al., J. Opt. Soc. Am. A 23 (2006) 1048, doi:10.1364/JOSAA.23.001048",
    .trust = 0.4,
    .errorBins = 0.25,
    .isQuick = false,
    .unsuited = tooFew,
    .find = [](const AxisSearch& search) { return sharpest(search, &Sharpness::entropy); },
};

const AxisMethod totalVariationAxis = {
    .id = "total-variation",
    .label = "Total variation",
    .summary = "The axis whose slice has the fewest streaks and doubled edges: least total variation.",
    .reference = "Rudin et al., Physica D 60 (1992) 259, doi:10.1016/0167-2789(92)90242-F",
    .trust = 0.4,
    .errorBins = 0.3,
    .isQuick = false,
    .unsuited = tooFew,
    .find = [](const AxisSearch& search) { return sharpest(search, &Sharpness::totalVariation); },
};

} // namespace engine
