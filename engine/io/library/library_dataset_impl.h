// SPDX-License-Identifier: GPL-3.0-or-later
// Shared state of an open data set.
#pragma once

#include "engine/io/hdf5/chunk_decoder.h"
#include "engine/io/hdf5/hdf5_library.h"
#include "engine/io/library/input_driver.h"
#include "engine/io/library/library_file.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace engine
{

class VirtualChunks;

struct LibraryDataset::Impl {
    std::shared_ptr<const void> file; // closed after the data set
    std::shared_ptr<Hdf5Inputs> inputs;
    DatasetFacts facts;
    std::optional<std::vector<ChunkFilter>> filters; // of its chunks, if we can decode them
    mutable std::shared_ptr<VirtualChunks> sources;  // of a virtual data set
    Hdf5Handle dataset;
    ~Impl()
    {
        Hdf5Guard guard;
        sources.reset();
        dataset.close();
    }

    std::string whyUnread() const { return inputs->failure.empty() ? hdf5Message() : inputs->failure; }
};

// Where a decoder finds the chunks of an open data set.
ChunkStore storeOf(const LibraryDataset& dataset);

} // namespace engine
