// SPDX-License-Identifier: GPL-3.0-or-later
// An HDF5 file, read lazily; the library stays inside the .cpp.
#pragma once

#include "engine/base/uninitialized.h"
#include "engine/io/hdf5/hdf5_gaps.h"
#include "engine/io/hdf5/hdf5_nodes.h"
#include "engine/io/hdf5/hdf5_plugins.h"
#include "engine/scan/samples.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace engine
{

// Numbers of a data set in its order (row-major), uncompressed in files.
struct StoredNumbers {
    struct Run {
        std::filesystem::path file;
        long long offset = 0;           // in bytes
        long long first = 0, count = 0; // numbers of the data set
    };
    SampleType type;
    bool bigEndian = false;
    std::vector<Run> runs; // in the order of the data set
};

// Steps along the slowest dimension of a virtual data set that a source has, all of each.
struct VirtualPart {
    std::filesystem::path file;
    std::string path; // of the source in it
    long long first = 0, count = 0;
    long long firstOfSource = 0;
};

// What is done to the bytes of a chunk before they are stored.
struct ChunkFilter {
    enum class Kind { shuffle, deflate, checksum, plugin } kind = Kind::shuffle;
    PluginFilter function = nullptr; // of a plug-in, and what it was applied with
    std::vector<unsigned> parameters = {};
};

struct ChunkFormat {
    SampleType type;
    bool bigEndian = false;
    std::vector<ChunkFilter> filters; // in the order in which they were applied
};

// A data set, open for reading. Cheap to copy; may be read from any thread.
class Hdf5Dataset
{
  public:
    const std::string& path() const; // inside the file
    const std::filesystem::path& filePath() const;
    const std::vector<long long>& shape() const;             // slowest dimension first
    const std::vector<long long>& chunk() const;             // empty unless stored in chunks
    const std::vector<std::filesystem::path>& files() const; // that its numbers are read from, links followed
    const std::string& sampleType() const;                   // "uint16", "float32", …; empty unless these are numbers
    long long size() const;                                  // numbers in all
    bool canGrow() const;                                    // along its slowest dimension
    const VirtualGaps& gaps() const;                         // what no source of a virtual data set has
    std::uintmax_t bytesOfFiles() const;
    // Throws Error(badFile) where far more numbers are said to be there than the files can hold, and none is.
    void requireWritten() const;
    // Where the files have the numbers as they are; nothing where they are compressed, not all written, or in pieces
    // that HDF5 alone can put together.
    std::optional<StoredNumbers> stored() const;
    // Of which sources a virtual data set is made; nothing where that isn't whole steps of other data sets.
    std::vector<VirtualPart> parts() const;
    // What has to be undone in its chunks; nothing where it has none, or filters that HDF5 alone can undo.
    std::optional<ChunkFormat> chunkFormat() const;
    // Whether the chunk that a position is in was ever written, or what is no chunk.
    bool isWritten(const std::vector<long long>& position) const;
    bool isWhole() const; // no chunk is missing
    // A chunk as it is stored, by its first position; empty where it was never written or can't be read.
    struct StoredChunk {
        bool isWritten = false;
        bool isHollow = false; // it has a place in the file, and no bytes there
        unsigned leftOut = 0;  // filters, a bit each
    };
    StoredChunk readChunk(const std::vector<long long>& start, Buffer<char>& bytes) const;
    // What numbers of chunks are that were never written; 0 where nothing says so.
    double fillValue() const;

    // A block in the order of the file, converted to float. Throws Error(badFile).
    void read(const std::vector<long long>& start, const std::vector<long long>& count, float* out) const;
    // All numbers, for angles, keys and sizes. Throws Error(badFile), also beyond 16 million numbers, and for gaps.
    std::vector<double> numbers() const;

  private:
    friend class Hdf5File;
    struct Impl;
    std::shared_ptr<const Impl> m_impl;
};

// Opened read-only and without a file lock, so that a file that others hold open can be looked at.
class Hdf5File
{
  public:
    enum class Node { none, group, dataset, broken }; // broken: a link whose target is missing

    explicit Hdf5File(const std::filesystem::path& path); // throws Error(badFile)
    static bool recognises(const std::filesystem::path& path);

    const std::filesystem::path& path() const;
    Node node(const std::string& path) const;                          // looked for once
    std::vector<std::string> children(const std::string& group) const; // names, sorted; empty for none
    const Hdf5Nodes& nodes(int depth) const;                           // looked for once
    // Throws Error(badFile): missing, a broken link (names the missing target), or a compression
    // filter that is not installed (names it).
    Hdf5Dataset dataset(const std::string& path) const;
    // Text of a data set or attribute; a number is printed; nothing when it isn't there.
    std::optional<std::string> text(const std::string& path) const;
    std::optional<std::string> attribute(const std::string& path, const std::string& name) const;
    // This file and all that data sets opened through it are read from: behind external links, external
    // storage, sources of virtual data sets.
    std::vector<std::filesystem::path> files() const;
    // First number of a data set; nothing when it isn't there or isn't a number.
    std::optional<double> number(const std::string& path) const;
    // Why the link at the path, or one before it, leads nowhere: names the file or object it wants.
    std::string whyBroken(const std::string& path) const;

  private:
    struct Impl;
    std::shared_ptr<const Impl> m_impl;
};

} // namespace engine
