// SPDX-License-Identifier: GPL-3.0-or-later
// Is this build as fast as another? Ratios of the seconds of runs that took turns.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace engine
{

// Median of a sample, and the interval that holds the median of what it was drawn from in 95 of 100 cases, whatever
// the distribution: from the order of the values (Conover, Practical Nonparametric Statistics, section 3.2).
struct MedianInterval {
    double median = 0, lower = 0, upper = 0;
};

// Fewer pairs of runs have no interval worth the name.
inline constexpr int leastPairs = 9;
// A row is slower when its whole interval lies below.
inline constexpr double slowerBelow = 0.98;

// At least six values: fewer have no such interval. Throws Error(badRequest).
MedianInterval medianInterval(std::vector<double> values);

// What the report of a benchmark (benchmarkJson) has of a setting.
struct TimedSetting {
    std::string name;                           // "tensor linear half, 64 slices per pass: 2048² × 512 from 2048"
    double kernelSeconds = 0, totalSeconds = 0; // medians of its runs
    double reusedTotalSeconds = 0;              // 0: not measured
};
// who: the file or program that the text is of. Throws Error(badFile) where it is no such report.
std::vector<TimedSetting> timedSettings(const std::string& json, const std::string& who);

// Of one setting: seconds of the other build over seconds of this one, so that more than 1 is faster than the other.
struct SpeedRatios {
    std::string name;
    MedianInterval kernel, total;
    std::optional<MedianInterval> reusedTotal; // nothing where one of the two didn't measure it

    bool isSlower() const;
};

struct SpeedComparison {
    std::vector<SpeedRatios> settings;
    std::optional<MedianInterval> wallClock;      // of the whole processes; nothing against a file
    std::vector<std::string> onlyHere, onlyThere; // settings that one of the two lacks

    bool isSlower() const;
};

// One pair of runs, or of a run and a report of earlier ones.
struct SpeedPair {
    std::vector<TimedSetting> own, other;
    double ownWallSeconds = 0, otherWallSeconds = 0; // 0: not known
};
// At least leastPairs. Throws Error(badRequest) for fewer, and where no setting is in all of them.
SpeedComparison compareSpeed(const std::vector<SpeedPair>& pairs);

// As the report of a benchmark's comparison, JSON. other: the program or the file.
std::string speedComparisonJson(const SpeedComparison& comparison, const std::string& other, int pairs);

} // namespace engine
