// SPDX-License-Identifier: GPL-3.0-or-later
// Several measurements of one thing.
#pragma once

#include <vector>

namespace ui
{

struct Spread {
    double median = 0, least = 0, most = 0;
    int count = 0;               // 0: nothing was measured
    double lower = 0, upper = 0; // quartiles: half of the values lie between them
};
Spread spreadOf(std::vector<double> values);

// Whether half of the one's values lie below half of the other's. Single runs are never apart: how far they swing isn't
// known.
bool areApart(const Spread& slower, const Spread& faster);

} // namespace ui
