// SPDX-License-Identifier: GPL-3.0-or-later
// Darks and flats among the projections, as in a stack that has all frames of a scan.
#pragma once

#include "engine/io/frames/frame_source.h"

#include <vector>

namespace engine
{

// Moves the frames that options.darkFrames and flatFrames name from the projections to the darks and flats, and
// renumbers the missing projections. Returns the frames that remain projections, counted from 0 among the existing
// frames; empty if no frames are named. Throws Error(badRequest) for frames that don't exist or that are both a dark
// and a flat, if no projection remains, and if darks or flats are also given as files.
std::vector<int> separateSides(ScanFrames& frames, const OpenOptions& options);

} // namespace engine
