// SPDX-License-Identifier: GPL-3.0-or-later
// A check of the chunks that HDF5 is about to read for a virtual data set. HDF5 assumes that a decoded chunk has its
// full length, and reads past the end of a shorter one (1.10.8).
#pragma once

#include "engine/io/hdf5/chunk_blocks.h"
#include "engine/io/hdf5/hdf5_library.h"
#include "engine/io/library/library_file.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace engine
{

class VirtualChunks
{
  public:
    // dataset: an open data set (hid_t) of the file. Looks up how its numbers are mapped. To be called under Hdf5Guard.
    VirtualChunks(std::int64_t dataset, std::filesystem::path file, LibraryAccess& access);

    // Decodes the chunks of all sources that a block of the data set touches, each once; none if it isn't virtual.
    // Throws Error(badFile) if one isn't whole, or can't be decoded. To be called under Hdf5Guard.
    void requireWhole(const NumberBlock& block);

  private:
    struct Mapping {
        std::string file, path;            // of the source
        std::optional<NumberBlock> target; // box in the data set; nothing: all of it
        NumberBlock part;                  // box in the source; empty: all of it
        bool isStepwise = false;           // steps of the slowest dimension correspond one to one
        Hdf5Handle space = {};             // the selection in the data set, if `file` is a pattern
    };
    struct Source {
        LibraryDataset dataset;
        std::set<std::vector<long long>> whole; // first positions of the chunks that were decoded
    };

    void check(const std::filesystem::path& file, const std::string& path, NumberBlock part);
    Source& sourceAt(const std::filesystem::path& file, const std::string& path);

    std::filesystem::path m_file;
    LibraryAccess& m_access;
    std::vector<Mapping> m_mappings;
    std::map<std::pair<std::filesystem::path, std::string>, Source> m_sources;
};

} // namespace engine
