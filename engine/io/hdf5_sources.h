// What a data set of HDF5 is read from: files behind links, external storage, virtual data sets; filters.
#pragma once

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace engine
{

// Prefixes of a path, shortest first: /a, /a/b, /a/b/c.
std::vector<std::string> prefixes(const std::string& path);

// Where a file named by another may be, as HDF5 looks for it; those that exist, the first found first.
std::vector<std::filesystem::path> placesOf(const std::filesystem::path& name, const std::filesystem::path& folder);

// All files on the way to the numbers at `path` of the open file (hid_t), itself among them; those that are
// missing are left out. Call it under Hdf5Guard.
std::set<std::filesystem::path> sourcesOf(std::int64_t file, const std::filesystem::path& filePath,
                                          const std::string& path);

// Throw Error(badFile) for a filter that isn't installed, and for a virtual data set whose files are missing, which
// HDF5 would read as zeros. plist (hid_t): of the data set's creation. Under Hdf5Guard.
void requireFilters(std::int64_t plist, const std::filesystem::path& file, const std::string& path);
void requireSources(std::int64_t plist, const std::filesystem::path& file, const std::string& path);

} // namespace engine
