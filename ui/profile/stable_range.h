// SPDX-License-Identifier: GPL-3.0-or-later
// An axis range that follows its data without jumping at each small change.
#pragma once

#include <algorithm>
#include <cmath>

namespace ui
{

// Range that changes only if data leave it or shrink below half of it; then it gets some margin.
struct StableRange {
    double lower = 0, upper = 0;
    bool set = false;

    void reset() { set = false; }

    // Returns true if the range changed. `roomBelow`: false for data that begin at 0: the range then begins there.
    bool follow(double minimum, double maximum, bool roomBelow = true)
    {
        if (!std::isfinite(minimum) || !std::isfinite(maximum) || maximum < minimum)
            return false;
        constexpr double room = 0.08;
        double span = maximum - minimum;
        if (!(span > 0))
            span = std::max(std::abs(maximum), 1e-12);
        const bool inside = set && minimum >= lower && maximum <= upper;
        if (inside && span >= 0.5 * (upper - lower))
            return false;
        // For constant data, the range without its margins is as wide as their absolute value.
        const double middle = (minimum + maximum) / 2;
        lower = roomBelow ? middle - span * (0.5 + room) : minimum;
        upper = middle + span * (0.5 + room);
        set = true;
        return true;
    }
};

} // namespace ui
