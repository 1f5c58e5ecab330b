// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/volume/value_range.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace ui
{

namespace
{

// Returns the threshold that separates the two classes best: n1·n2·(mean1 − mean2)² is largest.
double otsu(const std::vector<float>& sample, double low, double high)
{
    constexpr int bins = 256;
    std::array<double, bins> counts{};
    const double scale = (bins - 1) / (high - low);
    for (const float value : sample)
        counts[static_cast<int>(std::clamp((value - low) * scale, 0.0, bins - 1.0))] += 1;
    double total = 0, sum = 0;
    for (int i = 0; i < bins; ++i) {
        total += counts[i];
        sum += i * counts[i];
    }
    double below = 0, sumBelow = 0, best = -1;
    int first = 0, last = 0; // bins of the maximum, which is flat over a gap between the classes
    for (int i = 0; i + 1 < bins; ++i) {
        below += counts[i];
        sumBelow += i * counts[i];
        const double above = total - below;
        if (below == 0 || above == 0)
            continue;
        const double distance = sumBelow / below - (sum - sumBelow) / above;
        const double spread = below * above * distance * distance;
        if (spread > best * (1 + 1e-12)) {
            best = spread;
            first = i;
        }
        if (spread >= best * (1 - 1e-12))
            last = i;
    }
    return low + ((first + last) / 2.0 + 1) / scale;
}

} // namespace

ValueRange valueRange(std::span<const float> values)
{
    constexpr std::size_t wanted = 200000;
    const std::size_t step = std::max<std::size_t>(1, values.size() / wanted);
    std::vector<float> sample;
    sample.reserve(values.size() / step + 1);
    // An odd stride avoids interference with the rows of an image of even width.
    for (std::size_t i = 0; i < values.size(); i += step | 1)
        if (std::isfinite(values[i]))
            sample.push_back(values[i]);
    if (sample.empty())
        return {};
    const auto at = [&sample](double part) {
        const auto position = sample.begin() + static_cast<std::ptrdiff_t>(part * (sample.size() - 1));
        std::nth_element(sample.begin(), position, sample.end());
        return static_cast<double>(*position);
    };
    ValueRange range;
    range.low = at(0.005);
    range.high = at(0.995);
    if (!(range.high > range.low)) { // constant, or nearly: take all values
        range.low = at(0);
        range.high = at(1);
    }
    if (!(range.high > range.low))
        range.high = range.low + std::max(std::abs(range.low), 1e-6);
    range.threshold = otsu(sample, range.low, range.high);
    return range;
}

} // namespace ui
