// SPDX-License-Identifier: GPL-3.0-or-later
// Opens what users bring: the surest reader of the table (engine/io/open/readers.h) reads it.
#pragma once

#include "engine/base/error.h"
#include "engine/io/frames/open_options.h"

#include <filesystem>
#include <memory>
#include <stop_token>

namespace engine
{

// A file or folder of any format of the table. Reads no frames, but one row of a few of them where it is to be guessed
// what their numbers are, and of up to 400 of them where there are no angles: what is assumed is in Scan::assumedTurn.
// Throws Error(badFile) with the path, the data set and the value; outside; badRequest for impossible options;
// cancelled.
std::shared_ptr<const Scan> openScan(const std::filesystem::path& path, const OpenOptions& options = {},
                                     std::stop_token stop = {});

} // namespace engine
