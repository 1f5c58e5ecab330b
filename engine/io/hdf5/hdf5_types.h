// SPDX-License-Identifier: GPL-3.0-or-later
// Descriptions of HDF5 files that need no HDF5 library.
#pragma once

#include "engine/io/hdf5/hdf5_gaps.h"
#include "engine/scan/samples.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace engine
{

// Paths in order, each group before its contents. A group with several names is listed under all of them, but its
// contents only under the first. Broken links are left out.
struct Hdf5Nodes {
    std::vector<std::string> groups, datasets; // "/" is one of the groups
};

enum class Hdf5Node { none, group, dataset, broken }; // broken: a link whose target is missing

// The storage of a data set's numbers in files: uncompressed, in the data set's (row-major) order.
struct StoredNumbers {
    struct Run {
        std::filesystem::path file;
        long long offset = 0;           // in bytes
        long long first = 0, count = 0; // range of the data set's numbers
    };
    SampleType type;
    bool bigEndian = false;
    std::vector<Run> runs; // in the order of the data set
};

// Steps along the slowest dimension of a virtual data set that are completely in one source.
struct VirtualPart {
    std::filesystem::path file;
    std::string path; // of the source in that file
    long long first = 0, count = 0;
    long long firstOfSource = 0;
};

// A filter that is applied to the bytes of a chunk before they are stored.
struct ChunkFilter {
    enum class Kind { shuffle, deflate, checksum, bitshuffle, bitshuffleLz4, bitshuffleZstd, lz4, zstd, lzf, plugin };
    Kind kind = Kind::shuffle;
    std::vector<unsigned> parameters = {}; // of a plug-in; bitshuffle: bytes per element, elements per block (0: usual)
    int id = 0;                            // of a plug-in
    std::string name = {};                 // of a plug-in, as the file has it
};

struct ChunkFormat {
    SampleType type;
    bool bigEndian = false;
    std::vector<ChunkFilter> filters; // in the order in which they were applied
};

// Description of an open data set.
struct DatasetFacts {
    std::filesystem::path file;               // in which it was opened
    std::string path;                         // inside that file
    std::vector<long long> shape;             // slowest dimension first
    std::vector<long long> chunk;             // empty unless stored in chunks
    std::vector<std::filesystem::path> files; // that its numbers are read from, links followed
    std::string sampleType;                   // "uint16", "float32", …; empty if not numeric
    bool canGrow = false;                     // along its slowest dimension
    VirtualGaps gaps;                         // parts of a virtual data set that no source covers
    std::optional<ChunkFormat> format;        // of its chunks; nothing if only HDF5 can reverse the filters
    std::filesystem::path chunkFile;          // that its chunks are in, behind links
    bool areEdgesFiltered = true;             // whether filters apply to chunks that extend beyond the data set
    double fillValue = 0;                     // of numbers that were never written; 0 if none is specified
};

// The state of a stored chunk. Its bytes are empty if it was never written or can't be read.
struct StoredChunk {
    bool isWritten = false;
    bool isHollow = false; // it has a place in the file, but no bytes there
    unsigned leftOut = 0;  // mask of the filters that were not applied, one bit each
};

// The place of a chunk in its file.
struct ChunkPlace {
    enum class State : std::uint32_t { absent, stored, unreadable }; // absent: never written
    std::uint64_t offset = 0, bytes = 0;
    std::uint32_t leftOut = 0; // mask of the filters that were not applied, one bit each
    State state = State::absent;
    bool operator==(const ChunkPlace&) const = default;
};

} // namespace engine
