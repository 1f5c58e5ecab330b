// SPDX-License-Identifier: GPL-3.0-or-later
// Comparison of this build's speed with another build's: ratios of the seconds of alternating runs.
#pragma once

#include "engine/measure/benchmark_row.h"

#include <optional>
#include <string>
#include <vector>

namespace engine
{

// Median of a sample, and the interval that contains the median of its distribution in 95 of 100 cases, whatever the
// distribution: from the order of the values (Conover, Practical Nonparametric Statistics, section 3.2).
struct MedianInterval {
    double median = 0, lower = 0, upper = 0;
};

// Fewer pairs of runs don't give a useful interval.
inline constexpr int leastPairs = 9;
// A row is slower if its whole interval is below this ratio.
inline constexpr double slowerBelow = 0.98;

// Needs at least six values: fewer have no such interval. Throws Error(badRequest).
MedianInterval medianInterval(std::vector<double> values);

// A figure of a setting: seconds of the other build over seconds of this one. More than 1: this build is faster.
struct SpeedRatio {
    const char* key;   // in reports: "reusedTotal"
    const char* label; // in tables: "memory reused"
    MedianInterval ratio;
};
// The ratios of the figures that both builds measured, the kernel's and the total's among them.
struct SpeedRatios {
    std::string name; // nameOf() of its rows
    std::vector<SpeedRatio> ratios;

    bool isSlower() const;
};

struct SpeedComparison {
    std::vector<SpeedRatios> settings;
    std::optional<MedianInterval> wallClock;      // of the whole processes; nothing if compared with a file
    std::vector<std::string> onlyHere, onlyThere; // settings that only one build measured

    bool isSlower() const;
};

// A pair of runs, or a run and a report of earlier ones.
struct SpeedPair {
    std::vector<BenchmarkRow> own, other;
    double ownWallSeconds = 0, otherWallSeconds = 0; // 0: unknown
};
// Needs at least leastPairs. Throws Error(badRequest) for fewer, and if no setting is in all of them.
SpeedComparison compareSpeed(const std::vector<SpeedPair>& pairs);

// Returns the report of a comparison as JSON. other: the program or the file.
std::string speedComparisonJson(const SpeedComparison& comparison, const std::string& other, int pairs);

} // namespace engine
