// SPDX-License-Identifier: GPL-3.0-or-later
// A measure over the places where an axis may be, and what stands out of it.
#pragma once

#include "engine/axis/method.h"

#include <vector>

namespace engine
{

// Values at first, first + step, …; least is best.
struct AxisCurve {
    double first = 0, step = 1; // bins
    std::vector<double> values;

    double at(std::size_t k) const { return first + step * static_cast<double>(k); }
};

// Its least value, to the place, and how much deeper that is than the next best minimum more than nearBins away, both
// counted from the curve's median. A curve that isn't finite somewhere is not best there.
AxisGuess leastOf(const AxisCurve& curve, double nearBins);

// Projections of the first half turn, in order, each direction once; all of a shorter arc.
std::vector<int> halfTurnOf(const AxisSearch& search);

// 0 to 1: whether opposite views look like mirror images about that place; 1 where there are none to ask.
double likenessAbout(const AxisSearch& search, double axisBins);

// Means of `factor` neighbouring bins, of one slice; what is left over is left out. Bin k of them is centred at bin
// k·factor + (factor − 1)/2. Of every step-th projection of `order`.
struct ReducedRow {
    Sinograms row;
    std::vector<double> anglesRad;
    int factor = 1;

    double toBins(double reduced) const { return reduced * factor + (factor - 1) / 2.0; }
    double toReduced(double bins) const { return (bins - (factor - 1) / 2.0) / factor; }
};
ReducedRow reduced(const AxisSearch& search, int mostBins, int mostProjections, const std::vector<int>& order);

} // namespace engine
