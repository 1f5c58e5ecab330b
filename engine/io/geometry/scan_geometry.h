// SPDX-License-Identifier: GPL-3.0-or-later
// The geometry of a scan that is opened: what the user says, else its own file, else one beside it, else an assumption.
#pragma once

#include "engine/io/frames/frame_source.h"
#include "engine/io/geometry/geometry_file.h"
#include "engine/io/geometry/given_angles.h"

#include <filesystem>
#include <string>
#include <vector>

namespace engine
{

// Makes scan.geometry, with a note of what was assumed, and says whether the rows of the frames are to be turned.
// frames: path, rows, bins, the number of projections and those that are missing.
// folders: where angles.txt and geometry files may be, for formats that may lack their own.
// Throws Error(badRequest) for options that make no geometry, badFile for files that don't.
void setGeometry(Scan& scan, const OpenOptions& options, ScanFrames& frames, RecordedGeometry recorded = {},
                 const std::vector<std::filesystem::path>& folders = {});

} // namespace engine
