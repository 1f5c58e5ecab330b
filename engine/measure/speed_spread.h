// SPDX-License-Identifier: GPL-3.0-or-later
// How a speed varies over the runs of a benchmark.
#pragma once

#include <string>
#include <vector>

namespace engine
{

struct SpeedSpread {
    double lowerQuartile = 0, upperQuartile = 0; // GU/s: a quarter of the runs is slower, or faster
    // Median speed of the last quarter of the runs over that of the first: below 1, the device became slower. 0: fewer
    // than eight runs.
    double drift = 0;
    std::vector<double> runs; // GU/s of each run, in order
};

// seconds: of each run, in order. gigaUpdates: updates of a run / 10⁹.
SpeedSpread speedSpreadOf(const std::vector<double>& seconds, double gigaUpdates);

// Returns a bar per run from left to right, "▃▁█▇", the slowest as the lowest. More than 32 runs: a bar per group of
// runs.
std::string curveText(const std::vector<double>& speeds);

} // namespace engine
