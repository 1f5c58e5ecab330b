// Several measurements of one thing.
#pragma once

#include <vector>

namespace ui
{

struct Spread {
    double median = 0, least = 0, most = 0;
    int count = 0; // 0: nothing was measured
};
Spread spreadOf(std::vector<double> values);

} // namespace ui
