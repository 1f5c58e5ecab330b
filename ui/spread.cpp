#include "ui/spread.h"

#include <algorithm>

namespace ui
{

Spread spreadOf(std::vector<double> values)
{
    if (values.empty())
        return {};
    std::ranges::sort(values);
    const std::size_t half = values.size() / 2;
    const double median = values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
    return {median, values.front(), values.back(), static_cast<int>(values.size())};
}

} // namespace ui
