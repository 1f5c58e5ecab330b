// SPDX-License-Identifier: GPL-3.0-or-later
// Frames of which fewer are read, and of which pixels are joined, as they come from their files.
#pragma once

#include "engine/io/frames/frame_source.h"
#include "engine/scan/reduction.h"

namespace engine
{

// The same, reduced: projections as keptProjections says, pixels as JoinedPixels; darks and flats too. Means are
// floats.
ScanFrames reducedFrames(ScanFrames frames, const Reduction& reduction);

// Some frames of a source, in order. rows, bins: of a frame.
FrameSource someFrames(FrameSource source, std::vector<int> which, int rows, int bins);

} // namespace engine
