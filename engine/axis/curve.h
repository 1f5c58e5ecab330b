// SPDX-License-Identifier: GPL-3.0-or-later
// A measure as a function of the axis position, and the evaluation of its minimum.
#pragma once

#include "engine/axis/method.h"

#include <vector>

namespace engine
{

// Values at first, first + step, …; the lowest is best.
struct AxisCurve {
    double first = 0, step = 1; // bins
    std::vector<double> values;

    double at(std::size_t k) const { return first + step * static_cast<double>(k); }
};

// Returns the position of the lowest value and its score: how far the next best minimum, more than nearBins away, lies
// above the lowest value, divided by how far the median of the curve lies above it. Non-finite values are ignored.
AxisGuess leastOf(const AxisCurve& curve, double nearBins);

// Returns the projections of the first half turn, in order, each direction once; all directions of a shorter arc.
std::vector<int> halfTurnOf(const std::vector<double>& anglesRad);

// Returns 0 to 1: how well opposite views are mirror images about that position; 1 if there are none.
double likenessAbout(const AxisSearch& search, double axisBins);

// One slice with averaged bins and fewer projections. Each bin is the mean of `factor` neighbouring bins; bins that
// remain at the end are dropped. Bin k is centred at bin k·factor + (factor − 1)/2 of the detector. The projections
// are chosen evenly from `order`. Stripes (stripesOf) are subtracted.
struct ReducedRow {
    Sinograms row;
    std::vector<double> anglesRad;
    int factor = 1;

    double toBins(double reduced) const { return reduced * factor + (factor - 1) / 2.0; }
    double toReduced(double bins) const { return (bins - (factor - 1) / 2.0) / factor; }
};
ReducedRow reduced(const AxisSearch& search, int mostBins, int mostProjections, const std::vector<int>& order);

} // namespace engine
