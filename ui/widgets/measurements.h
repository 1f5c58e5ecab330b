// SPDX-License-Identifier: GPL-3.0-or-later
// Statistics of repeated measurements.
#pragma once

#include <vector>

namespace ui
{

struct Spread {
    double median = 0, least = 0, most = 0;
    int count = 0;               // 0: no measurement
    double lower = 0, upper = 0; // quartiles: half of the values lie between them
};
Spread spreadOf(std::vector<double> values);

// Returns whether the ranges between the quartiles don't overlap. Single runs never count as apart, because their
// spread isn't known.
bool areApart(const Spread& slower, const Spread& faster);

} // namespace ui
