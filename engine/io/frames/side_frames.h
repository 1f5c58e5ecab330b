// SPDX-License-Identifier: GPL-3.0-or-later
// Darks and flats among the projections, as in a stack that has all frames of a scan.
#pragma once

#include "engine/io/frames/frame_source.h"

#include <vector>

namespace engine
{

// Makes the projections that options.darkFrames and flatFrames name darks and flats, and renumbers those that are
// missing. Returns which projections stay, counted from 0 among those that are there; nothing where none are named.
// Throws Error(badRequest) for those that aren't there, are both, or are all, and where darks or flats are given too.
std::vector<int> separateSides(ScanFrames& frames, const OpenOptions& options);

} // namespace engine
