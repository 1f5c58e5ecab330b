// SPDX-License-Identifier: GPL-3.0-or-later
// Gaps of virtual data sets.
#pragma once

#include "engine/io/hdf5/chunk_blocks.h"
#include "engine/io/hdf5/hdf5_gaps.h"
#include "engine/io/library/library_access.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace engine
{

// Returns the names of the source files from which a block of a virtual data set is read: `pattern` with each number
// that occurs ("frames_%b.h5"), else itself. space (hid_t): where the mapping lies in the data set.
std::vector<std::string> numberedSources(const std::string& pattern, std::int64_t space, const NumberBlock& block);

// Finds the gaps of an open data set (hid_t) of the file; none if it isn't virtual. To be called under Hdf5Guard.
VirtualGaps gapsOf(std::int64_t dataset, const std::filesystem::path& file, LibraryAccess& access);

} // namespace engine
