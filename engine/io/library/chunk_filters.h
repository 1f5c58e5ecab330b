// SPDX-License-Identifier: GPL-3.0-or-later
// The filters that HDF5 has applied to the bytes of chunks.
#pragma once

#include "engine/io/hdf5/hdf5_types.h"
#include "engine/io/library/library_access.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace engine
{

// Throws Error(badFile) for a filter that isn't installed, or whose output HDF5 doesn't check. plist (hid_t): the
// property list that the data set was created with. To be called under Hdf5Guard.
void requireFilters(std::int64_t plist, const std::filesystem::path& file, const std::string& path,
                    LibraryAccess& access);

// Returns the filters of an open data set's chunks if these are only shuffle, Fletcher's checksum and at most one
// compression (deflate or a known plug-in); else nothing. To be called under Hdf5Guard.
std::optional<std::vector<ChunkFilter>> chunkFilters(std::int64_t dataset);

} // namespace engine
