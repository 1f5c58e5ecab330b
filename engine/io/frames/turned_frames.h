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

// What the dimensions of numbers mean, as the user says (--data-axes). Of two words, such as "x:theta", the dimension
// in the middle has the rows. Throws Error(badRequest); who: whose dimensions these are.
FrameAxes axesOfStored(const std::string& text, const Text& who);

// The sizes in the order of projections, rows and bins.
std::array<int, 3> sizesAlong(const FrameAxes& axes, const std::array<int, 3>& sizes);

// Of frames with these sizes (frames, rows, bins, as they are stored), the same numbers in the order that the axes say.
// Where the first dimension counts projections, each is turned when it is read. Otherwise they lie apart where they are
// stored: all are read when the first is asked for, and kept as floats. Throws Error(noMemory) for more than
// `mostTurnedBytes` of these.
FrameSource turnedFrames(FrameSource stored, const std::array<int, 3>& sizes, const FrameAxes& axes,
                         const std::string& path);
inline constexpr double mostTurnedBytes = 4e9;

} // namespace engine
