// SPDX-License-Identifier: GPL-3.0-or-later
// How often which values are in an area of an image.
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

// The smallest range that holds both.
HistogramRange spanning(const HistogramRange& a, const HistogramRange& b);

// In bins of one width: bin k has the values from lowest + k·width on and below lowest + (k + 1)·width, and the last
// one `highest` itself too.
struct Histogram {
    HistogramRange range;
    std::vector<long long> counts;  // pixels, one number a bin
    long long below = 0, above = 0; // finite pixels that are outside the range
    long long notFinite = 0;        // NaN or infinite: in none of the others

    double binWidth() const;
    double middleOf(std::size_t bin) const;
};

// Of the finite values, without this fraction of them at each end, [0, 0.5), rounded down to whole pixels. Nothing
// where none is finite. Throws Error(badRequest) when the size differs, or the mask is empty; so does the next.
std::optional<HistogramRange> rangeOf(std::span<const float> image, int width, int height, const Mask& mask = {},
                                      double leftOut = 0);

// Throws Error(badRequest) also when the range is empty or not finite, and unless bins are 1…100000.
Histogram histogramOf(std::span<const float> image, int width, int height, const Mask& mask,
                      const HistogramRange& range, int bins);

} // namespace engine
