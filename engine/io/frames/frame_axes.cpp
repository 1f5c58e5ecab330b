// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/frames/frame_axes.h"

#include "engine/base/number_text.h"

#include <algorithm>

namespace engine
{

std::optional<FrameAxes> axesFromText(const std::string& text, std::size_t rank)
{
    FrameAxes axes{-1, -1, -1};
    int dimension = 0;
    std::string word;
    const std::string input = lowerCase(text) + ":";
    for (const char c : input) {
        if (c != ':' && c != ',' && c != ' ') {
            word += c;
            continue;
        }
        if (word.empty())
            continue;
        int& axis = word == "y" ? axes.row : word == "x" ? axes.bin : axes.frame;
        if (axis >= 0 || (word != "y" && word != "x" && !word.starts_with("theta") && !word.starts_with("angle")))
            return {};
        axis = dimension++;
        word.clear();
    }
    if (dimension != static_cast<int>(rank) || axes.frame < 0 || axes.bin < 0)
        return {};
    return axes;
}

} // namespace engine
