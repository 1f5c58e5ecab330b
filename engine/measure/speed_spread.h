// SPDX-License-Identifier: GPL-3.0-or-later
// How a figure varies over repeated measurements.
#pragma once

#include <string>
#include <vector>

namespace engine
{

struct Spread {
    double median = 0, least = 0, most = 0;
    int count = 0;               // 0: no measurement
    double lower = 0, upper = 0; // quartiles: half of the values lie between them
};
Spread spreadOf(std::vector<double> values);

// Returns whether the ranges between the quartiles don't overlap. Single runs never count as apart, because their
// spread isn't known.
bool areApart(const Spread& slower, const Spread& faster);

struct SpeedSpread : Spread { // in GU/s
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

// Returns how the runs are distributed, a bar for each of some equal intervals of speed, "▁▂█▂", from the slowest run
// to the fastest (as Chilingaryan et al. 2018, Figure 5, right); "–" for fewer than three runs, or equal ones.
std::string distributionText(const SpeedSpread& spread);

// Returns the number of runs in each of `intervals` equal intervals between the slowest and the fastest run.
std::vector<int> distributionOf(const std::vector<double>& speeds, int intervals);

} // namespace engine
