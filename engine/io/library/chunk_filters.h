// SPDX-License-Identifier: GPL-3.0-or-later
// The filters that HDF5 has applied to the bytes of chunks.
#pragma once

#include "engine/io/hdf5/hdf5_types.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace engine
{

// Throws Error(badFile) for a filter of an open data set whose output HDF5 doesn't check, or that only HDF5 could
// reverse, without having it. To be called under Hdf5Guard.
void requireFilters(std::int64_t dataset, const std::filesystem::path& file, const std::string& path);

// Returns the first filter of an open data set that HDF5 itself, which loads no plug-ins here, can't reverse, and how
// to install it; empty if there is none. To be called under Hdf5Guard.
std::string lackingFilter(std::int64_t dataset);

// Returns the filters of an open data set's chunks if these are only shuffle, Fletcher's checksum and at most one
// compression (deflate, LZ4, Zstandard, bitshuffle or a known plug-in); else nothing. To be called under Hdf5Guard.
std::optional<std::vector<ChunkFilter>> chunkFilters(std::int64_t dataset);

} // namespace engine
