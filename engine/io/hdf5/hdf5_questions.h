// SPDX-License-Identifier: GPL-3.0-or-later
// Answers of the helper program about HDF5 files (helper_session.h).
#pragma once

#include "engine/io/check/messages.h"
#include "engine/io/hdf5/hdf5_types.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace engine
{

// Write to a message and read from it. The functions that read throw Error(badFile) for what can't be true.
// DatasetFacts: all but the file and the path, which the question names.
void addTo(Parcel& parcel, const DatasetFacts& facts);
DatasetFacts factsIn(Parcel& parcel);
void addTo(Parcel& parcel, const std::optional<StoredNumbers>& stored);
std::optional<StoredNumbers> storedIn(Parcel& parcel, long long numbers);
void addTo(Parcel& parcel, const std::vector<VirtualPart>& parts);
std::vector<VirtualPart> partsIn(Parcel& parcel, long long steps);
void addTo(Parcel& parcel, const std::vector<ChunkPlace>& places);
std::vector<ChunkPlace> placesIn(Parcel& parcel, long long count);

} // namespace engine
