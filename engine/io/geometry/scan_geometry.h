// SPDX-License-Identifier: GPL-3.0-or-later
// The geometry of a scan that is opened: from the user's options, else from its own file, else from a file beside it,
// else assumed.
#pragma once

#include "engine/io/frames/frame_source.h"
#include "engine/io/geometry/geometry_file.h"
#include "engine/io/geometry/given_angles.h"

#include <filesystem>
#include <string>
#include <vector>

namespace engine
{

// Sets scan.geometry and frames.rowsUpwards (whether the rows must be reversed), and adds notes on assumptions.
// frames: its path, rows, bins, number of projections and missing projections must be set.
// folders: where angles.txt and geometry files may be, for formats that may lack their own.
// Throws Error(badRequest) for options that don't define a geometry; badFile if `recorded` doesn't fit the projections,
// or if a file of angles, shifts or geometry that the user gives can't be used.
void setGeometry(Scan& scan, const OpenOptions& options, ScanFrames& frames, RecordedGeometry recorded = {},
                 const std::vector<std::filesystem::path>& folders = {});

} // namespace engine
