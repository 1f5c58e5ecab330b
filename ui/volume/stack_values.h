// SPDX-License-Identifier: GPL-3.0-or-later
// Range and histogram of the values of a stack, for its grey window and its opacity.
#pragma once

#include <span>
#include <vector>

namespace ui
{

struct StackValues {
    double low = 0, high = 1; // 0.5 and 99.5 percentiles, low < high
    // Between background and object, and between soft and dense parts of it (Otsu, IEEE Trans. SMC 9, 1979, p. 62).
    double threshold = 0.5, dense = 0.75;
    // Histogram between `least` and `most`, which lie outside low and high.
    double least = 0, most = 1;
    std::vector<int> counts;
};

// Computes the range from about 200 000 values, spread evenly. Values that are not finite are ignored.
StackValues stackValuesOf(std::span<const float> values);

} // namespace ui
