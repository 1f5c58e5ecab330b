// SPDX-License-Identifier: GPL-3.0-or-later
// The meaning of the dimensions of stored frames.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace engine
{

// The dimensions of a data set that count frames, rows and bins; frame −1: a single frame, row −1: a sinogram.
struct FrameAxes {
    int frame = 0, row = 1, bin = 2;
};

// Parses "theta:y:x" in any order, or "theta:x" for a sinogram (row −1); nothing if the text is invalid.
std::optional<FrameAxes> axesFromText(const std::string& text, std::size_t rank = 3);

} // namespace engine
