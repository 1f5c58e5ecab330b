// SPDX-License-Identifier: GPL-3.0-or-later
// Histogram of the values in an area of an image.
#pragma once

#include "engine/compare/mask.h"

#include <optional>
#include <span>
#include <vector>

namespace engine
{

struct HistogramRange {
    double lowest = 0, highest = 0;
    bool operator==(const HistogramRange&) const = default;
};

// Returns the smallest range that contains both.
HistogramRange spanning(const HistogramRange& a, const HistogramRange& b);

// Histogram with bins of equal width: bin k counts the values from lowest + k·width (inclusive) to lowest + (k +
// 1)·width (exclusive); the last bin includes `highest`.
struct Histogram {
    HistogramRange range;
    std::vector<long long> counts;  // pixels per bin
    long long below = 0, above = 0; // finite pixels outside the range
    long long notFinite = 0;        // NaN or infinite; in no other count

    double binWidth() const;
    double middleOf(std::size_t bin) const;
};

// Returns the range of the finite values after the fraction `leftOut` of them, in [0, 0.5), was left out at each end;
// the number left out is rounded down. Nothing if no value is finite. Throws Error(badRequest) when the size differs,
// or the mask is empty.
std::optional<HistogramRange> rangeOf(std::span<const float> image, int width, int height, const Mask& mask = {},
                                      double leftOut = 0);

// Throws Error(badRequest) when the size differs, the mask is empty, the range is empty or not finite, or bins are
// not 1…100000.
Histogram histogramOf(std::span<const float> image, int width, int height, const Mask& mask,
                      const HistogramRange& range, int bins);

} // namespace engine
