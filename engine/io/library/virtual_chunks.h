// SPDX-License-Identifier: GPL-3.0-or-later
// A check of the chunks that HDF5 is about to read for a virtual data set. HDF5 assumes that a decoded chunk has its
// full length, and reads past the end of a shorter one (1.10.8).
#pragma once

#include "engine/io/hdf5/chunk_blocks.h"
#include "engine/io/library/library_file.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace engine
{

class VirtualChunks
{
  public:
    VirtualChunks(std::filesystem::path file, LibraryAccess& access) : m_file(std::move(file)), m_access(access) {}

    // Decodes the chunks of all sources that a block of the open virtual data set (hid_t) touches, each once. Throws
    // Error(badFile) if one isn't whole, or can't be decoded. To be called under Hdf5Guard.
    void requireWhole(std::int64_t dataset, const NumberBlock& block);

  private:
    struct Source {
        LibraryDataset dataset;
        std::set<std::vector<long long>> whole; // first positions of the chunks that were decoded
    };

    void check(const std::filesystem::path& file, const std::string& path, NumberBlock part);
    Source& sourceAt(const std::filesystem::path& file, const std::string& path);

    std::filesystem::path m_file;
    LibraryAccess& m_access;
    std::map<std::pair<std::filesystem::path, std::string>, Source> m_sources;
};

} // namespace engine
