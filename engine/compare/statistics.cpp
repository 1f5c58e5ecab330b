// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/compare/statistics.h"

#include "engine/compare/masked_values.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace engine
{

namespace
{

// Returns the pixels' values within the bounds of a mask, with NaN for pixels that are not masked, so that everything
// computed with these is NaN too.
std::vector<float> maskedValues(std::span<const float> image, int width, const MaskRows& rows)
{
    const Region& bounds = rows.bounds();
    std::vector<float> values(static_cast<std::size_t>(bounds.width) * bounds.height,
                              std::numeric_limits<float>::quiet_NaN());
    for (int row = 0; row < bounds.height; ++row)
        for (const Run& run : rows.runs(bounds.row + row)) {
            const auto from = image.subspan(static_cast<std::size_t>(bounds.row + row) * width);
            std::copy(from.begin() + run.begin, from.begin() + run.end,
                      values.begin() + static_cast<std::ptrdiff_t>(row) * bounds.width + run.begin - bounds.column);
        }
    return values;
}

double noiseOf(std::span<const float> image, int width, const MaskRows& rows)
{
    constexpr int apart = 3;               // pixels
    constexpr double quartile = 0.6744898; // of the normal distribution: the median of |x| for σ = 1
    const std::vector<float> values = maskedValues(image, width, rows);
    const std::ptrdiff_t stride = rows.bounds().width;
    std::vector<double> masks;
    for (int row = apart; row < rows.bounds().height - apart; ++row)
        for (int column = apart; column < rows.bounds().width - apart; ++column) {
            const float* middle = values.data() + row * stride + column;
            const auto across = [&](std::ptrdiff_t rowsAway) {
                const float* line = middle + rowsAway * stride;
                return static_cast<double>(line[-apart]) - 2.0 * line[0] + line[apart];
            };
            const double mask = across(-apart) - 2 * across(0) + across(apart);
            if (std::isfinite(mask))
                masks.push_back(std::abs(mask));
        }
    if (masks.empty())
        return std::numeric_limits<double>::quiet_NaN();
    const auto median = masks.begin() + static_cast<std::ptrdiff_t>(masks.size() / 2);
    std::nth_element(masks.begin(), median, masks.end());
    return *median / (6 * quartile);
}

} // namespace

AreaStatistics statisticsOf(std::span<const float> image, int width, int height, const Mask& mask)
{
    requirePixels(image, width, height);
    const MaskRows rows(mask, width, height);
    AreaStatistics statistics;
    statistics.pixels = rows.pixels();
    double sum = 0, squares = 0;
    statistics.minimum = std::numeric_limits<double>::infinity();
    statistics.maximum = -statistics.minimum;
    eachMasked(image, width, rows, [&](float value) {
        if (!std::isfinite(value)) {
            ++statistics.notFinite;
            return;
        }
        sum += value;
        statistics.minimum = std::min(statistics.minimum, static_cast<double>(value));
        statistics.maximum = std::max(statistics.maximum, static_cast<double>(value));
    });
    const double count = static_cast<double>(statistics.pixels - statistics.notFinite);
    if (count == 0) // the other figures are NaN by 0/0
        statistics.minimum = statistics.maximum = std::numeric_limits<double>::quiet_NaN();
    statistics.mean = sum / count;
    // In a second pass, so that a large mean doesn't reduce the accuracy of σ.
    eachMasked(image, width, rows, [&](float value) {
        if (std::isfinite(value))
            squares += (value - statistics.mean) * (value - statistics.mean);
    });
    statistics.deviation = std::sqrt(squares / count);
    statistics.noise = noiseOf(image, width, rows);
    return statistics;
}

double contrastToNoise(const AreaStatistics& a, const AreaStatistics& b)
{
    return std::abs(a.mean - b.mean) / std::sqrt((a.deviation * a.deviation + b.deviation * b.deviation) / 2);
}

} // namespace engine
