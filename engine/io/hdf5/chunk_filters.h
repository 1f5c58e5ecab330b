// SPDX-License-Identifier: GPL-3.0-or-later
// What HDF5 did to the bytes of chunks.
#pragma once

#include "engine/io/hdf5/hdf5_file.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace engine
{

// Throws Error(badFile) for a filter that isn't installed, or of which HDF5 doesn't check what it makes. plist (hid_t):
// of the data set's creation. Under Hdf5Guard.
void requireFilters(std::int64_t plist, const std::filesystem::path& file, const std::string& path);

// What was done to the chunks of an open data set, where that is shuffle, Fletcher's checksum, and deflate or a known
// plug-in once at most. Under Hdf5Guard.
std::optional<std::vector<ChunkFilter>> chunkFilters(std::int64_t dataset);

} // namespace engine
