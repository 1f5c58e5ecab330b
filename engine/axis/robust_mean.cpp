// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/axis/robust_mean.h"

#include <algorithm>

namespace engine
{

namespace
{

// Minimum error assumed for the weights: otherwise the most precise value would be the first to be down-weighted.
constexpr double leastAside = 0.1; // bins

double weightedMedian(std::vector<Measured> all)
{
    std::ranges::sort(all, {}, &Measured::value);
    double half = 0;
    for (const Measured& each : all)
        half += each.trust / each.error / 2;
    for (const Measured& each : all)
        if ((half -= each.trust / each.error) <= 0)
            return each.value;
    return all.back().value;
}

} // namespace

double robustMean(const std::vector<Measured>& all)
{
    double middle = weightedMedian(all);
    constexpr int rounds = 10;
    for (int k = 0; k < rounds; ++k) {
        double sum = 0, weights = 0;
        for (const Measured& each : all) {
            const double aside = (each.value - middle) / std::max(each.error, leastAside);
            const double weight = each.trust / each.error / (1 + aside * aside);
            sum += weight * each.value;
            weights += weight;
        }
        if (!(weights > 0))
            break;
        middle = sum / weights;
    }
    return middle;
}

} // namespace engine
