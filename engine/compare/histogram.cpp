// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/compare/histogram.h"

#include "engine/base/number_text.h"
#include "engine/compare/masked_values.h"

#include <algorithm>
#include <cmath>

namespace engine
{

HistogramRange spanning(const HistogramRange& a, const HistogramRange& b)
{
    return {std::min(a.lowest, b.lowest), std::max(a.highest, b.highest)};
}

double Histogram::binWidth() const
{
    return (range.highest - range.lowest) / static_cast<double>(counts.size());
}

double Histogram::middleOf(std::size_t bin) const
{
    return range.lowest + (static_cast<double>(bin) + 0.5) * binWidth();
}

std::optional<HistogramRange> rangeOf(std::span<const float> image, int width, int height, const Mask& mask,
                                      double leftOut)
{
    requirePixels(image, width, height);
    require(leftOut >= 0 && leftOut < 0.5, "a range without " + numberToText(leftOut) +
                                               " of the values at each end; give a fraction from 0 and below 0.5");
    const MaskRows rows(mask, width, height);
    std::vector<float> values;
    values.reserve(static_cast<std::size_t>(rows.pixels()));
    eachMasked(image, width, rows, [&](float value) {
        if (std::isfinite(value))
            values.push_back(value);
    });
    if (values.empty())
        return std::nullopt;
    const auto out = static_cast<std::ptrdiff_t>(leftOut * static_cast<double>(values.size()));
    const auto low = values.begin() + out, high = values.end() - 1 - out;
    std::nth_element(values.begin(), low, values.end());
    const double lowest = *low; // the next call may move it
    std::nth_element(low, high, values.end());
    return HistogramRange{lowest, *high};
}

Histogram histogramOf(std::span<const float> image, int width, int height, const Mask& mask,
                      const HistogramRange& range, int bins)
{
    requirePixels(image, width, height);
    require(std::isfinite(range.lowest) && std::isfinite(range.highest) && range.lowest < range.highest,
            "a histogram from " + numberToText(range.lowest) + " to " + numberToText(range.highest) +
                "; give an increasing range");
    require(bins >= 1 && bins <= 100000, "a histogram of " + std::to_string(bins) + " bins; give 1 to 100000");
    Histogram made;
    made.range = range;
    made.counts.resize(static_cast<std::size_t>(bins));
    const double binWidth = made.binWidth();
    const auto edge = [&](int bin) { return range.lowest + bin * binWidth; };
    eachMasked(image, width, MaskRows(mask, width, height), [&](float value) {
        if (!std::isfinite(value)) {
            ++made.notFinite;
        } else if (value < range.lowest) {
            ++made.below;
        } else if (value > range.highest) {
            ++made.above;
        } else {
            int bin = std::min(static_cast<int>((value - range.lowest) / binWidth), bins - 1);
            // The quotient is rounded; a value on an edge belongs to the bin above the edge.
            if (bin > 0 && value < edge(bin))
                --bin;
            else if (bin + 1 < bins && value >= edge(bin + 1))
                ++bin;
            ++made.counts[static_cast<std::size_t>(bin)];
        }
    });
    return made;
}

} // namespace engine
