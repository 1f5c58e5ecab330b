// SPDX-License-Identifier: GPL-3.0-or-later
// An HDF5 file, read with the HDF5 library: only the helper program does this, in a process without rights
// (engine/io/check). All other code reads HDF5 files through engine/io/hdf5/hdf5_file.h.
#pragma once

#include "engine/base/uninitialized.h"
#include "engine/io/hdf5/chunk_blocks.h"
#include "engine/io/hdf5/hdf5_types.h"
#include "engine/io/library/library_access.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace engine
{

// An open data set. The functions are those of Hdf5Dataset; in addition:
class LibraryDataset
{
  public:
    const DatasetFacts& facts() const;
    std::optional<StoredNumbers> stored() const;
    std::vector<VirtualPart> parts() const;

    bool hasStorage() const; // false if none of its numbers was ever written; true for a virtual data set
    bool isWhole() const;    // no chunk is missing
    // Returns the places of `count` chunks from number `first` on; chunks are counted in row-major order.
    std::vector<ChunkPlace> places(long long first, long long count) const;
    StoredChunk readChunk(const std::vector<long long>& start, Buffer<char>& bytes) const;

    // Reads a block, converted to float or double. Throws Error(badFile).
    void read(const std::vector<long long>& start, const std::vector<long long>& count, float* out) const;
    void read(const std::vector<long long>& start, const std::vector<long long>& count, double* out) const;

  private:
    friend class VirtualChunks;
    std::string lackingFilter() const;                 // that HDF5 can't reverse, and how to install it
    std::optional<ChunkDecoder> decoder() const;       // of its chunks; nothing if only HDF5 can reverse their filters
    void requireWhole(const NumberBlock& block) const; // of a virtual data set: the chunks of its sources
    template <typename T>
    void readAs(const std::vector<long long>& start, const std::vector<long long>& count, std::int64_t type,
                T* out) const;

    friend class LibraryFile;
    struct Impl;
    std::shared_ptr<const Impl> m_impl;
};

// An open file, read-only and without a file lock, so that a file that others hold open can be read. The functions are
// those of Hdf5File.
class LibraryFile
{
  public:
    LibraryFile(const std::filesystem::path& path, LibraryAccess& access); // throws Error(badFile)

    using Node = Hdf5Node;
    Node node(const std::string& path) const;
    std::vector<std::string> children(const std::string& group) const;
    const Hdf5Nodes& nodes(int depth) const;
    LibraryDataset dataset(const std::string& path) const;
    std::optional<std::string> text(const std::string& path) const;
    std::optional<std::string> attribute(const std::string& path, const std::string& name) const;
    std::string whyBroken(const std::string& path) const;

  private:
    struct Impl;
    std::shared_ptr<const Impl> m_impl;
};

} // namespace engine
