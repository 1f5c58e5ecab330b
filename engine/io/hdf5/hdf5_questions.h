// SPDX-License-Identifier: GPL-3.0-or-later
// What is asked about an HDF5 file that the helper program has opened. Each question names the file and the path in it;
// what else it has, and its answer, are beside it.
#pragma once

#include "engine/io/check/messages.h"
#include "engine/io/hdf5/hdf5_gaps.h"
#include "engine/io/hdf5/hdf5_types.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace engine
{

enum class Hdf5Question : std::uint32_t {
    node,      // Hdf5Node
    children,  // list of names
    nodes,     // depth; groups, data sets
    text,      // whether there is one, text
    attribute, // name; as for text
    whyBroken, // text
    dataset,   // DatasetFacts
    written,   // whether any number was written, whether no chunk is missing
    stored,    // whether they are stored as they are, StoredNumbers
    parts,     // list of VirtualPart
    places,    // first, count; list of ChunkPlace
    read,      // start, count, whether as double; the values in the memory that came with the question
};

struct DatasetFacts {
    std::vector<long long> shape, chunk;
    std::vector<std::filesystem::path> files;
    std::string sampleType;
    bool canGrow = false;
    VirtualGaps gaps;
    std::optional<ChunkFormat> format; // of chunks that can be decoded without HDF5
    std::filesystem::path chunkFile;
    bool areEdgesFiltered = true;
    double fillValue = 0;
};

// Write to a message and read from it. The functions that read throw Error(badFile) for what can't be true.
void addTo(Parcel& parcel, const DatasetFacts& facts);
DatasetFacts factsIn(Parcel& parcel);
void addTo(Parcel& parcel, const std::optional<StoredNumbers>& stored);
std::optional<StoredNumbers> storedIn(Parcel& parcel, long long numbers);
void addTo(Parcel& parcel, const std::vector<VirtualPart>& parts);
std::vector<VirtualPart> partsIn(Parcel& parcel, long long steps);
void addTo(Parcel& parcel, const std::vector<ChunkPlace>& places);
std::vector<ChunkPlace> placesIn(Parcel& parcel, long long count);

} // namespace engine
