// SPDX-License-Identifier: GPL-3.0-or-later
// The files that an HDF5 data set is read from: behind links, external storage, sources of virtual data sets. Also
// checks their filters.
#pragma once

#include "engine/io/library/input_driver.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace engine
{

// Returns the prefixes of a path, shortest first: /a, /a/b, /a/b/c.
std::vector<std::string> prefixes(const std::string& path);

// Returns the existing files that a name in a file of the folder may mean, in the order in which HDF5 looks for them.
std::vector<std::filesystem::path> placesOf(const std::filesystem::path& name, const std::filesystem::path& folder);

// Returns all files that the numbers at `path` of the open file (hid_t) are read from, including this file. Throws
// Error(badFile) for anything that HDF5 would read as zeros, wait for or allocate too much memory for: external
// storage and sources of virtual data sets that are missing, too short or not regular files, and chunks of
// implausible size. To be called under Hdf5Guard.
std::set<std::filesystem::path> sourcesOf(std::int64_t file, const std::shared_ptr<Hdf5Inputs>& inputs,
                                          const std::string& path);

// Explains why the link at the path, or an earlier link on it, is broken: names the missing file or object. To be
// called under Hdf5Guard.
std::string explainLink(std::int64_t file, const std::filesystem::path& filePath, const std::string& path);

} // namespace engine
