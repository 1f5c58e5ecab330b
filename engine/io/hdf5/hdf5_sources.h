// SPDX-License-Identifier: GPL-3.0-or-later
// What a data set of HDF5 is read from: files behind links, external storage, virtual data sets; filters.
#pragma once

#include "engine/io/hdf5/hdf5_input_driver.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace engine
{

// Prefixes of a path, shortest first: /a, /a/b, /a/b/c.
std::vector<std::string> prefixes(const std::string& path);

// Where a file named by another may be, as HDF5 looks for it; those that exist, the first found first.
std::vector<std::filesystem::path> placesOf(const std::filesystem::path& name, const std::filesystem::path& folder);

// All files on the way to the numbers at `path` of the open file (hid_t), itself among them. Throws Error(badFile) for
// what HDF5 would read as zeros, wait for or take too much memory for: external storage and sources of virtual data
// sets that are missing, too short or no files, and chunks out of all proportion. Under Hdf5Guard.
std::set<std::filesystem::path> sourcesOf(std::int64_t file, const std::shared_ptr<Hdf5Inputs>& inputs,
                                          const std::string& path);

// Why the link at the path, or one before it, leads nowhere: names the file or object it wants. Under Hdf5Guard.
std::string explainLink(std::int64_t file, const std::filesystem::path& filePath, const std::string& path);

} // namespace engine
