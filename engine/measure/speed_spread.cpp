// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/measure/speed_spread.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace engine
{

namespace
{

const char* const bars[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};

} // namespace

Spread spreadOf(std::vector<double> values)
{
    if (values.empty())
        return {};
    std::ranges::sort(values);
    const auto quantile = [&values](double share) { // linear between the two nearest
        const double at = share * static_cast<double>(values.size() - 1);
        const auto below = static_cast<std::size_t>(at);
        const double above = values[std::min(below + 1, values.size() - 1)];
        return values[below] + (at - static_cast<double>(below)) * (above - values[below]);
    };
    return {quantile(0.5),  values.front(), values.back(), static_cast<int>(values.size()),
            quantile(0.25), quantile(0.75)};
}

bool areApart(const Spread& slower, const Spread& faster)
{
    return slower.count > 1 && faster.count > 1 && slower.upper < faster.lower;
}

SpeedSpread speedSpreadOf(const std::vector<double>& seconds, double gigaUpdates)
{
    std::vector<double> runs;
    for (const double one : seconds)
        runs.push_back(gigaUpdates / one);
    SpeedSpread spread{spreadOf(runs), 0, runs};
    if (const auto quarter = static_cast<std::ptrdiff_t>(runs.size() / 4); quarter >= 2)
        spread.drift = spreadOf({runs.end() - quarter, runs.end()}).median /
                       spreadOf({runs.begin(), runs.begin() + quarter}).median;
    return spread;
}

std::vector<int> distributionOf(const std::vector<double>& speeds, int intervals)
{
    std::vector<int> counts(static_cast<std::size_t>(intervals), 0);
    if (speeds.empty())
        return counts;
    const auto [least, most] = std::ranges::minmax(speeds);
    for (const double speed : speeds) {
        const int place = most > least ? static_cast<int>((speed - least) / (most - least) * intervals) : 0;
        ++counts[static_cast<std::size_t>(std::min(place, intervals - 1))];
    }
    return counts;
}

std::string distributionText(const SpeedSpread& spread)
{
    constexpr int intervals = 8;
    if (spread.count < 3 || !(spread.most > spread.least))
        return "–";
    const std::vector<int> counts = distributionOf(spread.runs, intervals);
    const int most = std::ranges::max(counts);
    std::string text;
    for (const int count : counts)
        text += count == 0 ? " " : bars[(7 * count + most / 2) / most];
    return text;
}

std::string curveText(const std::vector<double>& speeds)
{
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
