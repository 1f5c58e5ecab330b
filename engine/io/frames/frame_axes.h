// SPDX-License-Identifier: GPL-3.0-or-later
// What the dimensions of stored frames mean.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace engine
{

// Which dimension of a data set counts frames, rows and bins; frame −1: a single frame, row −1: a sinogram.
struct FrameAxes {
    int frame = 0, row = 1, bin = 2;
};

// "theta:y:x" in any order, "theta:x" of a sinogram, whose row is −1; nothing when it is not understood.
std::optional<FrameAxes> axesFromText(const std::string& text, std::size_t rank = 3);

} // namespace engine
