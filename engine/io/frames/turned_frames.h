// SPDX-License-Identifier: GPL-3.0-or-later
// Frames whose numbers are stored in another order than projections, rows, bins.
#pragma once

#include "engine/base/text.h"
#include "engine/io/frames/frame_axes.h"
#include "engine/io/frames/frame_source.h"

#include <array>
#include <string>

namespace engine
{

// Parses the order of the dimensions that the user gives (--data-axes). With two words, such as "x:theta", the middle
// dimension counts the rows. Throws Error(badRequest); `who` names the data in messages.
FrameAxes axesOfStored(const std::string& text, const Text& who);

// Returns the stored sizes in the order projections, rows, bins.
std::array<int, 3> sizesAlong(const FrameAxes& axes, const std::array<int, 3>& sizes);

// Returns the numbers of `stored`, whose sizes are given as stored (frames, rows, bins), in the order that the axes
// specify. If the first dimension counts projections, each is transposed when it is read. Otherwise a projection's
// numbers are scattered over the file: all numbers are read at the first access and cached as floats. Throws
// Error(noMemory) if this takes more than `mostTurnedBytes`.
FrameSource turnedFrames(FrameSource stored, const std::array<int, 3>& sizes, const FrameAxes& axes,
                         const std::string& path);
inline constexpr double mostTurnedBytes = 4e9;

} // namespace engine
