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

// Opens a file or folder of any format of the table. Reads no frames, except for one row of a few of them if the kind
// of their numbers must be guessed, and of up to 400 of them to guess or check the angles: assumed angles are in
// Scan::assumedTurn. Throws Error(badFile) with the path, the data set and the value; outside; badRequest for
// impossible options; cancelled.
std::shared_ptr<const Scan> openScan(const std::filesystem::path& path, const OpenOptions& options = {},
                                     std::stop_token stop = {});

} // namespace engine
