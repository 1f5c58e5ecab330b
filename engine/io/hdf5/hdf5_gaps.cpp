// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/hdf5/hdf5_gaps.h"

#include <algorithm>

namespace engine
{

bool VirtualGaps::any() const
{
    return isPartial || isCut || std::ranges::any_of(untouched, [](const auto& ranges) { return !ranges.empty(); });
}

std::string toText(const std::vector<VirtualGaps::Range>& ranges)
{
    constexpr std::size_t shown = 5;
    std::string text;
    for (std::size_t k = 0; k < std::min(shown, ranges.size()); ++k) {
        const auto& [first, count] = ranges[k];
        text += (text.empty() ? "" : ", ") + std::to_string(first) +
                (count > 1 ? " to " + std::to_string(first + count - 1) : std::string());
    }
    return text + (ranges.size() > shown ? " and more" : "");
}

} // namespace engine
