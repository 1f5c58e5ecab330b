// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/measure/speed_spread.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

namespace engine
{

namespace
{

// Returns the value below which the share of the values lies: the nearest one of them.
double quantileOf(std::span<const double> values, double share)
{
    std::vector<double> sorted(values.begin(), values.end());
    std::ranges::sort(sorted);
    return sorted[static_cast<std::size_t>(std::lround(share * static_cast<double>(sorted.size() - 1)))];
}

} // namespace

SpeedSpread speedSpreadOf(const std::vector<double>& seconds, double gigaUpdates)
{
    SpeedSpread spread;
    for (const double one : seconds)
        spread.runs.push_back(gigaUpdates / one);
    if (seconds.empty())
        return spread;
    spread.lowerQuartile = quantileOf(spread.runs, 0.25);
    spread.upperQuartile = quantileOf(spread.runs, 0.75);
    const std::span<const double> runs = spread.runs;
    if (const std::size_t quarter = runs.size() / 4; quarter >= 2)
        spread.drift = quantileOf(runs.last(quarter), 0.5) / quantileOf(runs.first(quarter), 0.5);
    return spread;
}

std::string curveText(const std::vector<double>& speeds)
{
    static const char* const bars[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    if (speeds.empty())
        return {};
    constexpr std::size_t most = 32;
    const std::size_t count = std::min(most, speeds.size());
    std::vector<double> means;
    for (std::size_t k = 0; k < count; ++k) {
        const std::size_t first = k * speeds.size() / count, last = (k + 1) * speeds.size() / count;
        double sum = 0;
        for (std::size_t run = first; run < last; ++run)
            sum += speeds[run];
        means.push_back(sum / static_cast<double>(last - first));
    }
    const auto [slowest, fastest] = std::ranges::minmax(means);
    std::string curve;
    for (const double mean : means)
        curve += bars[fastest > slowest ? std::lround(7 * (mean - slowest) / (fastest - slowest)) : 7];
    return curve;
}

} // namespace engine
