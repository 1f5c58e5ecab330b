// SPDX-License-Identifier: GPL-3.0-or-later
// Opens scans with the surest reader of the table (engine/io/open/readers.h).
#pragma once

#include "engine/base/error.h"
#include "engine/io/frames/open_options.h"

#include <filesystem>
#include <memory>
#include <stop_token>

namespace engine
{

// Opens a file or folder of any format of the table. Reads few rows of frames: to guess the kind of their numbers, the
// middle row of a few projections; to guess or check the angles, the middle row of up to 400 projections and of some
// darks and flats; to find out whether the dimensions are exchanged, up to 48 rows of up to 48 projections (all their
// rows if rows or frames are stored together). Assumed angles are in Scan::assumedTurn. Throws Error(badFile) with the
// path, the data set and the value; outside; badRequest for impossible options; cancelled.
std::shared_ptr<const Scan> openScan(const std::filesystem::path& path, const OpenOptions& options = {},
                                     std::stop_token stop = {});

} // namespace engine
