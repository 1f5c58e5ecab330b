// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/measurements.h"

#include <algorithm>

namespace ui
{

Spread spreadOf(std::vector<double> values)
{
    if (values.empty())
        return {};
    std::ranges::sort(values);
    const auto quantile = [&values](double share) { // linear between the two nearest
        const double at = share * static_cast<double>(values.size() - 1);
        const auto below = static_cast<std::size_t>(at);
        const double above = values[std::min(below + 1, values.size() - 1)];
        return values[below] + (at - static_cast<double>(below)) * (above - values[below]);
    };
    return {quantile(0.5),  values.front(), values.back(), static_cast<int>(values.size()),
            quantile(0.25), quantile(0.75)};
}

bool areApart(const Spread& slower, const Spread& faster)
{
    return slower.count > 1 && faster.count > 1 && slower.upper < faster.lower;
}

} // namespace ui
