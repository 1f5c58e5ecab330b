// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/measure/compare_speed.h"

#include "engine/base/error.h"
#include "engine/base/json_text.h"
#include "engine/base/version.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace engine
{

namespace
{

bool liesBelow(const MedianInterval& interval)
{
    return !(interval.upper >= slowerBelow); // NaN counts as slower
}

// Returns how many of the lowest values lie below the interval: the largest number k for which the true median is below
// the interval with a probability of at most 2.5 %. That happens if at most k of all values are below the true median.
// Each value is below it with probability 1/2, so the number of such values has a binomial distribution.
int valuesBelow(int count)
{
    double probability = std::pow(0.5, count), sum = probability;
    int below = 0;
    while (sum <= 0.025) {
        probability *= static_cast<double>(count - below) / (below + 1);
        sum += probability;
        ++below;
    }
    return below - 1;
}

const BenchmarkRow* find(const std::vector<BenchmarkRow>& rows, const std::string& name)
{
    const auto found = std::ranges::find(rows, name, nameOf);
    return found == rows.end() ? nullptr : &*found;
}

// Returns nothing if one of the pairs lacks the figure.
std::optional<MedianInterval> ratiosOf(const std::vector<SpeedPair>& pairs, const std::string& name,
                                       double BenchmarkRow::*figure)
{
    std::vector<double> ratios;
    for (const SpeedPair& pair : pairs) {
        const BenchmarkRow *own = find(pair.own, name), *other = find(pair.other, name);
        if (!own || !other || !(own->*figure > 0) || !(other->*figure > 0))
            return std::nullopt;
        ratios.push_back(other->*figure / (own->*figure));
    }
    return medianInterval(std::move(ratios));
}

Json jsonOf(const MedianInterval& interval)
{
    return {{"median", interval.median}, {"lower", interval.lower}, {"upper", interval.upper}};
}

} // namespace

MedianInterval medianInterval(std::vector<double> values)
{
    const int count = static_cast<int>(values.size());
    if (count < 6)
        throw Error(ErrorKind::badRequest,
                    std::to_string(count) + " values have no 95 % interval; at least 6 are needed");
    std::ranges::sort(values);
    const int below = valuesBelow(count);
    return {(values[(count - 1) / 2] + values[count / 2]) / 2, values[below], values[count - 1 - below]};
}

bool SpeedRatios::isSlower() const
{
    return std::ranges::any_of(ratios, liesBelow, &SpeedRatio::ratio);
}

bool SpeedComparison::isSlower() const
{
    return std::ranges::any_of(settings, &SpeedRatios::isSlower);
}

SpeedComparison compareSpeed(const std::vector<SpeedPair>& pairs)
{
    if (pairs.size() < leastPairs)
        throw Error(ErrorKind::badRequest, "a comparison of speed takes " + std::to_string(leastPairs) +
                                               " pairs of runs or more, not " + std::to_string(pairs.size()));
    constexpr struct {
        const char *key, *label;
        double BenchmarkRow::*seconds;
        bool isNeeded;
    } figures[] = {{"kernel", "kernel", &BenchmarkRow::kernelSeconds, true},
                   {"total", "total", &BenchmarkRow::totalSeconds, true},
                   {"reusedTotal", "memory reused", &BenchmarkRow::reusedTotalSeconds, false},
                   {"whole", "whole", &BenchmarkRow::wholeSeconds, false}};
    SpeedComparison comparison;
    for (const BenchmarkRow& row : pairs.front().own) {
        SpeedRatios setting{nameOf(row), {}};
        bool isKnown = true;
        for (const auto& [key, label, seconds, isNeeded] : figures)
            if (const auto ratio = ratiosOf(pairs, setting.name, seconds))
                setting.ratios.push_back({key, label, *ratio});
            else
                isKnown = isKnown && !isNeeded;
        if (isKnown)
            comparison.settings.push_back(setting);
        else
            comparison.onlyHere.push_back(setting.name);
    }
    for (const BenchmarkRow& row : pairs.front().other)
        if (const std::string name = nameOf(row); !find(pairs.front().own, name))
            comparison.onlyThere.push_back(name);
    if (comparison.settings.empty())
        throw Error(ErrorKind::badRequest, "the two builds have no measured setting in common");
    std::vector<double> wall;
    for (const SpeedPair& pair : pairs)
        if (pair.ownWallSeconds > 0 && pair.otherWallSeconds > 0)
            wall.push_back(pair.otherWallSeconds / pair.ownWallSeconds);
    if (wall.size() == pairs.size())
        comparison.wallClock = medianInterval(std::move(wall));
    return comparison;
}

std::string speedComparisonJson(const SpeedComparison& comparison, const std::string& other, int pairs)
{
    Json rows = Json::array();
    for (const SpeedRatios& setting : comparison.settings) {
        rows.push_back({{"setting", setting.name}});
        for (const SpeedRatio& one : setting.ratios)
            rows.back()[one.key] = jsonOf(one.ratio);
        rows.back()["slower"] = setting.isSlower();
    }
    Json json = {{"program", "Sinoscope"},
                 {"version", programVersion()},
                 {"comparedWith", other},
                 {"pairs", pairs},
                 {"ratio", "seconds of the other over seconds of this one"},
                 {"rows", std::move(rows)}};
    if (comparison.wallClock)
        json["wallClock"] = jsonOf(*comparison.wallClock);
    json["onlyHere"] = comparison.onlyHere;
    json["onlyThere"] = comparison.onlyThere;
    json["slower"] = comparison.isSlower();
    return dumped(json);
}

} // namespace engine
