// SPDX-License-Identifier: GPL-3.0-or-later
// Answers of the helper program about HDF5 files (helper_session.h).
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
