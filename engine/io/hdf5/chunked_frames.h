// SPDX-License-Identifier: GPL-3.0-or-later
// Chunks of HDF5 data sets undone by the threads that read them: HDF5 itself does so one after the other, under its
// lock.
#pragma once

#include "engine/io/frames/frame_source.h"
#include "engine/io/hdf5/hdf5_file.h"

#include <optional>
#include <vector>

namespace engine
{

struct ChunkedFrames {
    Hdf5Dataset dataset;            // three dimensions: frame, row, bin
    ChunkFormat format;             // its own
    std::vector<long long> indices; // of the frames in the data set
};

// Throws Error(badFile) when it is read: chunks that can't be read, or aren't what their filters make.
FrameSource chunkedFrames(ChunkedFrames frames);

// Frames of a virtual data set of three dimensions: frame, row, bin, that its sources have in chunks; read from them.
// Nothing where that can't be done. Throws Error(badFile) for sources that can't be read.
std::optional<FrameSource> virtualFrames(const Hdf5Dataset& dataset, const std::vector<long long>& indices);

} // namespace engine
