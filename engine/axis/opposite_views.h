// SPDX-License-Identifier: GPL-3.0-or-later
// Comparison of views from opposite sides, for the axis search with any geometry.
#pragma once

#include "engine/data/sinograms.h"

#include <functional>
#include <stop_token>
#include <vector>

namespace engine
{

using BinLine = std::vector<double>; // one value per bin

// Angles in order along the shortest arc that contains them all.
struct Arc {
    std::vector<int> order;        // projections
    std::vector<double> anglesRad; // ascending, in that order
    double step = 0;               // median difference of neighbouring distinct angles

    double length() const { return anglesRad.back() - anglesRad.front(); }
};
Arc arcOf(const std::vector<double>& anglesRad); // two or more

// Returns the stripes that make rings: the part of the mean projection that changes from bin to bin. It is at the
// same bin in both projections of a pair and would shift the axis. The smooth part belongs to the object.
BinLine stripesOf(const Sinograms& sinograms, int slice);

// Blurs a line with a Gaussian of this standard deviation in bins.
BinLine blurred(const BinLine& line, double sigma);

// Returns the position of the least mismatch near a position that is right to about one step: halves the step down to
// a quarter of a bin, then fits a parabola.
double leastNear(const std::function<double(double)>& mismatch, double axis, double step, const std::stop_token& stop);

} // namespace engine
