// SPDX-License-Identifier: GPL-3.0-or-later
// Where HDF5 has put the numbers of a data set.
#pragma once

#include "engine/io/hdf5/hdf5_file.h"
#include "engine/io/hdf5/hdf5_input_driver.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace engine
{

// Of an open data set (hid_t), also behind links, in external files and in the sources of a virtual data set; nothing
// where reading the bytes there isn't all that it takes. Under Hdf5Guard.
std::optional<StoredNumbers> storedNumbers(std::int64_t dataset, const std::shared_ptr<Hdf5Inputs>& inputs);

// Of an open data set, by their first steps; nothing where it isn't virtual, or made of anything but whole steps. Under
// Hdf5Guard.
std::vector<VirtualPart> virtualParts(std::int64_t dataset, const std::shared_ptr<Hdf5Inputs>& inputs);

// How the chunks of an open data set are stored, where we can undo them and its numbers are of one of our types. Under
// Hdf5Guard.
std::optional<ChunkFormat> chunkFormat(std::int64_t dataset);

// How many bytes the chunk that begins there takes in the file; nothing where it isn't there. Of a chunk without
// filters HDF5 itself only says how many it should take, and gives what its memory holds where there are fewer. Under
// Hdf5Guard.
std::optional<std::size_t> bytesInFile(std::int64_t dataset, const std::vector<long long>& start);

} // namespace engine
