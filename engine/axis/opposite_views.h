// SPDX-License-Identifier: GPL-3.0-or-later
// What looking for the axis needs of views from opposite sides, whatever the geometry.
#pragma once

#include "engine/data/sinograms.h"

#include <functional>
#include <stop_token>
#include <vector>

namespace engine
{

using Line = std::vector<double>; // one value per bin

// Angles in order along the shortest arc that holds them all.
struct Arc {
    std::vector<int> order;        // projections
    std::vector<double> anglesRad; // ascending, in that order
    double step = 0;               // median distance of different ones

    double length() const { return anglesRad.back() - anglesRad.front(); }
};
Arc arcOf(const std::vector<double>& anglesRad); // two or more

// What makes rings: the part of the mean projection that changes from bin to bin, which stands at the
// same bin in both of a pair and so would pull the axis. The smooth part belongs to the object.
Line stripesOf(const Sinograms& sinograms, int slice);

// With a Gaussian of this standard deviation, in bins.
Line blurred(const Line& line, double sigma);

// Where a mismatch is least, near a position that is right to about a step: steps halved to a quarter of a bin, then a
// parabola.
double leastNear(const std::function<double(double)>& mismatch, double axis, double step, const std::stop_token& stop);

} // namespace engine
