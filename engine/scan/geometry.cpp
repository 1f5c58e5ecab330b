#include "engine/scan/geometry.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace engine {

double axisFromTomopy(double centre) { return centre - 0.5; }
double axisToTomopy(double axisBins) { return axisBins + 0.5; }
double axisFromSkimage(double centre, int bins) { return centre + ((bins - 1) / 2.0 - bins / 2); }

std::vector<double> angularWeights(const std::vector<double>& anglesRad)
{
    using std::numbers::pi;
    const std::size_t count = anglesRad.size();
    if (count == 0)
        return {};
    if (count == 1)
        return {pi / 2};

    // Directions on the half circle, in order, and the gap behind each.
    std::vector<double> direction(count);
    std::transform(anglesRad.begin(), anglesRad.end(), direction.begin(), [](double angle) {
        double folded = std::fmod(angle, pi);
        if (folded < 0)
            folded += pi;
        // 180° given a rounding short of π is the direction 0.
        return pi - folded < 1e-9 ? 0.0 : folded;
    });
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return direction[a] < direction[b]; });
    // Equal directions (0° and 180°, the second half of 360°) share their neighbourhood evenly.
    struct Group {
        std::size_t first, count;
        double direction;
    };
    std::vector<Group> groups;
    for (std::size_t i = 0; i < count; ++i) {
        if (!groups.empty() && direction[order[i]] - groups.back().direction < 1e-9)
            ++groups.back().count;
        else
            groups.push_back({i, 1, direction[order[i]]});
    }
    std::vector<double> gap(groups.size());
    for (std::size_t i = 0; i < groups.size(); ++i)
        gap[i] = i + 1 < groups.size() ? groups[i + 1].direction - groups[i].direction
                                       : groups.front().direction + pi - groups.back().direction;
    std::vector<double> sorted = gap;
    std::nth_element(sorted.begin(), sorted.begin() + sorted.size() / 2, sorted.end());
    const double median = sorted[sorted.size() / 2];
    for (double& value : gap)
        if (value > 3 * median)
            value = median;

    std::vector<double> weights(count);
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const double before = gap[i == 0 ? groups.size() - 1 : i - 1];
        const double share = (before + gap[i]) / 4 / static_cast<double>(groups[i].count);
        for (std::size_t k = 0; k < groups[i].count; ++k)
            weights[order[groups[i].first + k]] = share;
    }
    return weights;
}

} // namespace engine
