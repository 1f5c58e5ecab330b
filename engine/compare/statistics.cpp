// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/compare/statistics.h"

#include "engine/base/parallel_for.h"
#include "engine/compare/masked_values.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <iterator>
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

// Returns the median of the finite values, none of which is negative; NaN if there are none. Counts them by their first
// 16 bits, whose order is that of the values, so that only those near the median are sorted.
double finiteMedianOf(const std::vector<double>& values)
{
    constexpr int shift = 48;
    const auto bitsOf = [](double value) { return std::bit_cast<std::uint64_t>(value) >> shift; };
    const std::uint64_t infinite = bitsOf(std::numeric_limits<double>::infinity());
    std::vector<std::size_t> counts(infinite);
    std::size_t finite = 0;
    for (const double value : values)
        if (const std::uint64_t bits = bitsOf(value); bits < infinite)
            ++counts[bits], ++finite;
    if (finite == 0)
        return std::numeric_limits<double>::quiet_NaN();
    std::size_t left = finite / 2, bin = 0;
    while (counts[bin] <= left)
        left -= counts[bin++];
    std::vector<double> near;
    near.reserve(counts[bin]);
    std::ranges::copy_if(values, std::back_inserter(near), [&](double value) { return bitsOf(value) == bin; });
    const auto median = near.begin() + static_cast<std::ptrdiff_t>(left);
    std::ranges::nth_element(near, median);
    return *median;
}

} // namespace

double noiseIn(std::span<const float> image, int width, int height, const Mask& mask)
{
    requirePixels(image, width, height);
    const MaskRows rows(mask, width, height);
    constexpr int apart = 3;               // pixels
    constexpr double quartile = 0.6744898; // of the normal distribution: the median of |x| for σ = 1
    const std::vector<float> values = maskedValues(image, width, rows);
    const std::ptrdiff_t stride = rows.bounds().width;
    const int columns = rows.bounds().width - 2 * apart, lines = rows.bounds().height - 2 * apart;
    if (columns < 1 || lines < 1)
        return std::numeric_limits<double>::quiet_NaN();
    std::vector<double> masks(static_cast<std::size_t>(columns) * lines);
    parallelFor(tbb::blocked_range<int>(0, lines, 16), [&](const tbb::blocked_range<int>& some) {
        for (int row = some.begin(); row < some.end(); ++row)
            for (int column = 0; column < columns; ++column) {
                const float* middle = values.data() + (row + apart) * stride + column + apart;
                const auto across = [&](std::ptrdiff_t rowsAway) {
                    const float* line = middle + rowsAway * stride;
                    return static_cast<double>(line[-apart]) - 2.0 * line[0] + line[apart];
                };
                masks[static_cast<std::size_t>(row) * columns + column] =
                    std::abs(across(-apart) - 2 * across(0) + across(apart));
            }
    });
    return finiteMedianOf(masks) / (6 * quartile);
}

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
    statistics.noise = noiseIn(image, width, height, mask);
    return statistics;
}

double contrastToNoise(const AreaStatistics& a, const AreaStatistics& b)
{
    return std::abs(a.mean - b.mean) / std::sqrt((a.deviation * a.deviation + b.deviation * b.deviation) / 2);
}

} // namespace engine
