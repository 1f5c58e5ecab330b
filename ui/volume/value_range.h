// SPDX-License-Identifier: GPL-3.0-or-later
// Range of the values of a stack, for its grey window and its threshold.
#pragma once

#include <span>

namespace ui
{

struct ValueRange {
    double low = 0, high = 1; // 0.5 and 99.5 percentiles, low < high
    double threshold = 0.5;   // between background and object (Otsu, IEEE Trans. SMC 9, 1979, p. 62)
};

// Computes the range from about 200 000 values, spread evenly. Values that are not finite are ignored.
ValueRange valueRange(std::span<const float> values);

} // namespace ui
