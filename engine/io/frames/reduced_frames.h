// SPDX-License-Identifier: GPL-3.0-or-later
// Reduction of frames as they are read: fewer projections, and joined pixels.
#pragma once

#include "engine/io/frames/frame_source.h"
#include "engine/scan/reduction.h"

namespace engine
{

// Returns the reduced frames: projections chosen by keptProjections(), pixels joined by JoinedPixels, also in darks
// and flats. Means are floats.
ScanFrames reducedFrames(ScanFrames frames, const Reduction& reduction);

// Returns some frames of a source, in order. rows, bins: the size of a frame.
FrameSource someFrames(FrameSource source, std::vector<int> which, int rows, int bins);

} // namespace engine
