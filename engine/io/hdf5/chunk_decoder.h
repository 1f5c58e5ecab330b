// SPDX-License-Identifier: GPL-3.0-or-later
// Decoding of chunks of HDF5 data sets. HDF5 itself assumes that a decoded chunk has its full length, and reads past
// the end of a chunk that its filters made shorter (1.10.8): it returns whatever follows in memory, or crashes.
#pragma once

#include "engine/base/uninitialized.h"
#include "engine/io/check/plugin_decoders.h"
#include "engine/io/hdf5/block_filters.h"
#include "engine/io/hdf5/hdf5_types.h"

#include <functional>
#include <memory>
#include <span>
#include <vector>

struct libdeflate_decompressor;

namespace engine
{

// Where a decoder finds the chunks of a data set.
struct ChunkStore {
    const DatasetFacts& facts; // exists as long as `read` does
    std::function<StoredChunk(const std::vector<long long>& start, Buffer<char>& bytes)> read;
    std::shared_ptr<PluginDecoders> plugins = {}; // if filters of plug-ins are among those of the chunks
};

// A decoder of chunks with its buffers. Each thread needs a decoder of its own.
class ChunkDecoder
{
  public:
    ChunkDecoder(ChunkStore store, std::vector<ChunkFilter> filters, std::size_t bytesOfNumber);

    // Returns the decoded chunk that begins at `start`; null if it was never written or HDF5 can't read it. Throws
    // Error(badFile) if its filters yield anything but a whole chunk.
    char* at(const std::vector<long long>& start);
    // Returns whether the chunk that at() was last asked for was ever written. If it was, and at() returned null, HDF5
    // can't read it.
    bool wasWritten() const { return m_wasWritten; }

  private:
    void decode(const ChunkFilter& filter, std::size_t wanted, const std::vector<long long>& start);
    void inflate(std::size_t wanted, const std::vector<long long>& start);
    void byPlugin(const ChunkFilter& filter, std::size_t wanted, const std::vector<long long>& start);
    void unshuffle(std::size_t wanted, const std::vector<long long>& start);
    void takeChecksum(const std::vector<long long>& start);
    void require(bool isWhole, const std::vector<long long>& start) const;

    ChunkStore m_store;
    std::vector<ChunkFilter> m_filters;
    std::size_t m_bytesOfNumber, m_bytes; // m_bytes: per chunk
    std::unique_ptr<libdeflate_decompressor, void (*)(libdeflate_decompressor*)> m_decompressor;
    BlockDecoder m_blocks;
    PluginDecoders::Lease m_plugin;
    Buffer<char> m_data, m_other;
    std::span<char> m_now; // the chunk after the last step: in m_data, or in the memory of the plug-in
    bool m_wasWritten = false;
};

} // namespace engine
