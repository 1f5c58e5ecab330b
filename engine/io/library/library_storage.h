// SPDX-License-Identifier: GPL-3.0-or-later
// The places where HDF5 has stored the numbers of a data set.
#pragma once

#include "engine/io/library/input_driver.h"
#include "engine/io/library/library_file.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace engine
{

// Returns where the numbers of an open data set (hid_t) are stored, also behind links, in external files and in the
// sources of a virtual data set; nothing unless they can be read there without decoding. To be called under
// Hdf5Guard.
std::optional<StoredNumbers> storedNumbers(std::int64_t dataset, const std::shared_ptr<Hdf5Inputs>& inputs);

// Returns the parts of an open virtual data set, sorted by their first steps; none if it isn't virtual, or consists
// of anything but whole steps. To be called under Hdf5Guard.
std::vector<VirtualPart> virtualParts(std::int64_t dataset, const std::shared_ptr<Hdf5Inputs>& inputs);

// Returns how the chunks of an open data set are stored; nothing unless we can decode them and its numbers are of one
// of our types. To be called under Hdf5Guard.
std::optional<ChunkFormat> chunkFormat(std::int64_t dataset);

// Returns how many bytes the chunk that begins at `start` takes in the file; nothing if it doesn't exist. For a chunk
// without filters, HDF5 itself only reports how many bytes it should take, and returns the contents of its memory if
// there are fewer. To be called under Hdf5Guard.
std::optional<std::size_t> bytesInFile(std::int64_t dataset, const std::vector<long long>& start);

// Returns where the chunk that begins at `start` lies in its file. To be called under Hdf5Guard, while `place` lives.
ChunkPlace placeOf(std::int64_t dataset, const std::vector<long long>& start, SamplesPlace& place);

// Returns the file that an open data set is stored in, behind links. To be called under Hdf5Guard.
std::filesystem::path fileOf(std::int64_t dataset);

} // namespace engine
