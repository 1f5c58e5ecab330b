// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/image/image_statistics.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace ui
{

std::vector<float> sampleDisc(const Pixels& pixels, int limit)
{
    if (!pixels)
        return {};
    const engine::SliceGrid& grid = pixels.grid();
    const double count = static_cast<double>(grid.width) * grid.height;
    const int stride = std::max(1, static_cast<int>(std::ceil(std::sqrt(count / limit))));
    const double radius = grid.size / 2.0;
    const auto gather = [&](bool inDisc) {
        std::vector<float> values, buffer;
        values.reserve(static_cast<std::size_t>(count / stride / stride) + 1);
        for (int r = 0; r < grid.height; r += stride) {
            const float* row = pixels.row(r, buffer);
            const double y = grid.y(r);
            for (int c = 0; c < grid.width; c += stride) {
                const double x = grid.x(c);
                if ((!inDisc || x * x + y * y <= radius * radius) && std::isfinite(row[c]))
                    values.push_back(row[c]);
            }
        }
        return values;
    };
    std::vector<float> values = gather(true);
    return values.empty() ? gather(false) : values;
}

std::vector<float> sampleOf(const Pixels& pixels, const QRectF& part, int limit)
{
    if (!pixels)
        return {};
    const engine::SliceGrid& grid = pixels.grid();
    const QRectF seen = part & pixels.area();
    const double count = std::max(0.0, seen.width()) * std::max(0.0, seen.height()) / (grid.step * grid.step);
    const int stride = std::max(1, static_cast<int>(std::ceil(std::sqrt(count / limit))));
    std::vector<float> values, buffer;
    for (int r = 0; r < grid.height; r += stride) {
        if (!(grid.y0 + r * grid.step >= seen.top() && grid.y0 + r * grid.step <= seen.bottom()))
            continue;
        const float* row = pixels.row(r, buffer);
        for (int c = 0; c < grid.width; c += stride)
            if (grid.x0 + c * grid.step >= seen.left() && grid.x0 + c * grid.step <= seen.right() &&
                std::isfinite(row[c]))
                values.push_back(row[c]);
    }
    return values;
}

double percentile(std::vector<float>& values, double fraction)
{
    if (values.empty())
        return std::numeric_limits<double>::quiet_NaN();
    const double position = std::clamp(fraction, 0.0, 1.0) * static_cast<double>(values.size() - 1);
    const auto lower = values.begin() + static_cast<std::ptrdiff_t>(position);
    std::nth_element(values.begin(), lower, values.end());
    const double rest = position - std::floor(position);
    if (rest == 0)
        return *lower;
    const float next = *std::min_element(lower + 1, values.end());
    return *lower + rest * (static_cast<double>(next) - *lower);
}

GreyWindow automaticWindow(std::vector<float> values)
{
    if (values.empty())
        return {0, 1};
    GreyWindow window{percentile(values, 0.005), percentile(values, 0.995)};
    const double size = std::max(std::abs(window.low), std::abs(window.high));
    if (!(window.high - window.low > 1e-6 * size)) { // one value nearly everywhere
        const double half = size > 0 ? 0.01 * size : 0.5;
        window = {window.low - half, window.high + half};
    }
    return window;
}

double automaticRange(std::vector<float> differences, double fraction)
{
    for (float& value : differences)
        value = std::abs(value);
    double range = percentile(differences, fraction);
    if (!(range > 0)) // nearly all are 0: take the largest
        range = differences.empty() ? 0 : *std::max_element(differences.begin(), differences.end());
    return range > 0 ? range : 1e-6;
}

double rangeInDisc(const Pixels& pixels)
{
    const std::vector<float> values = sampleDisc(pixels, std::numeric_limits<int>::max());
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    return least != values.end() && *most > *least ? static_cast<double>(*most) - *least : 1;
}

std::vector<int> histogram(const std::vector<float>& values, const GreyWindow& domain, int bins)
{
    std::vector<int> counts(bins, 0);
    const double scale = bins / (domain.high - domain.low);
    for (const float value : values) {
        const double position = (value - domain.low) * scale;
        if (position >= 0 && position <= bins)
            ++counts[std::min(static_cast<int>(position), bins - 1)];
    }
    return counts;
}

long long countNotFinite(const Pixels& pixels)
{
    if (!pixels)
        return 0;
    long long total = 0;
    std::vector<float> buffer;
    for (int r = 0; r < pixels.height(); ++r) {
        const float* row = pixels.row(r, buffer);
        int count = 0;
        for (int c = 0; c < pixels.width(); ++c) // an exponent of all ones: NaN or infinity
            count += (std::bit_cast<std::uint32_t>(row[c]) & 0x7f800000u) == 0x7f800000u;
        total += count;
    }
    return total;
}

} // namespace ui
