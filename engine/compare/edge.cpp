// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/compare/edge.h"

#include "engine/base/error.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <string>
#include <vector>

namespace engine
{

namespace
{

struct Level {
    double mean, deviation;
    double drift; // change from its first half to its second
};

double meanOf(std::span<const double> values)
{
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

Level levelOf(std::span<const double> values)
{
    const double mean = meanOf(values);
    double squares = 0;
    for (const double value : values)
        squares += (value - mean) * (value - mean);
    const std::size_t half = values.size() / 2;
    return {mean, std::sqrt(squares / static_cast<double>(values.size())),
            meanOf(values.last(half)) - meanOf(values.first(half))};
}

constexpr double low = 0.1, high = 0.9; // of the step
constexpr double tolerance = 0.25;

// Scales the profile so that it is 0 before the edge and 1 behind it; empty if there are no two clear levels.
std::vector<double> inSteps(const std::vector<double>& values)
{
    constexpr std::size_t leastSamples = 10;
    if (values.size() < leastSamples ||
        !std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); }))
        return {};
    const std::span<const double> all(values);
    const Level before = levelOf(all.first(values.size() / 5)), behind = levelOf(all.last(values.size() / 5));
    const double step = behind.mean - before.mean;
    if (!(std::max(before.deviation, behind.deviation) < std::abs(step) / 10) ||
        !(std::max(std::abs(before.drift), std::abs(behind.drift)) < std::abs(step) / 20))
        return {};
    std::vector<double> steps(values.size());
    std::transform(values.begin(), values.end(), steps.begin(),
                   [&](double value) { return (value - before.mean) / step; });
    return steps;
}

} // namespace

std::optional<double> edgeWidth(const Profile& profile)
{
    require(profile.position.size() == profile.value.size(), "a profile of " + std::to_string(profile.position.size()) +
                                                                 " positions and " +
                                                                 std::to_string(profile.value.size()) + " values");
    const std::vector<double> steps = inSteps(profile.value);
    // The last sample at 10 % or less before the profile reaches three quarters, and the first at 90 % or more after
    // that.
    const auto reached = std::find_if(steps.begin(), steps.end(), [](double v) { return v >= 1 - tolerance; });
    const auto foot =
        std::find_if(std::make_reverse_iterator(reached), steps.rend(), [](double v) { return v <= low; });
    const auto top = std::find_if(reached, steps.end(), [](double v) { return v >= high; });
    if (foot == steps.rend() || top == steps.end())
        return std::nullopt;
    const auto a = static_cast<std::size_t>(steps.rend() - foot) - 1, b = static_cast<std::size_t>(top - steps.begin());
    const auto crossing = [&](std::size_t k, double level) { // between samples k and k + 1
        return std::lerp(profile.position[k], profile.position[k + 1], (level - steps[k]) / (steps[k + 1] - steps[k]));
    };
    const double begin = crossing(a, low), end = crossing(b - 1, high);
    for (std::size_t k = 0; k < steps.size(); ++k) {
        double expected = k <= a ? 0 : 1;
        if (k > a && k < b)
            expected = std::lerp(low, high, (profile.position[k] - begin) / (end - begin));
        if (!(std::abs(steps[k] - expected) <= tolerance))
            return std::nullopt;
    }
    return end - begin;
}

} // namespace engine
