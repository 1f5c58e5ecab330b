// SPDX-License-Identifier: GPL-3.0-or-later
// Frames in chunks of HDF5 data sets, decoded by the threads that read them: HDF5 itself decodes one chunk at a time,
// under its lock.
#pragma once

#include "engine/io/frames/frame_source.h"
#include "engine/io/hdf5/hdf5_file.h"

#include <optional>
#include <vector>

namespace engine
{

struct ChunkedFrames {
    Hdf5Dataset dataset;            // three dimensions: frame, row, bin
    ChunkFormat format;             // of the data set
    std::vector<long long> indices; // of the frames in the data set
};

// Throws Error(badFile) on reading, for chunks that can't be read or don't decode to a whole chunk.
FrameSource chunkedFrames(ChunkedFrames frames);

// Returns frames of a virtual data set of three dimensions (frame, row, bin) whose sources are stored in chunks; they
// are read from the sources. Nothing if this isn't possible. Throws Error(badFile) for sources that can't be read.
std::optional<FrameSource> virtualFrames(const Hdf5Dataset& dataset, const std::vector<long long>& indices);

} // namespace engine
