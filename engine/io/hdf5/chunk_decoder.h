// SPDX-License-Identifier: GPL-3.0-or-later
// Chunks of HDF5 data sets, their filters undone. HDF5 itself takes a chunk to be as long as it should be, and reads
// past the end of one that its filters made shorter (1.10.8): what stands behind it in memory, or a crash.
#pragma once

#include "engine/base/uninitialized.h"
#include "engine/io/hdf5/hdf5_file.h"

#include <memory>
#include <vector>

struct libdeflate_decompressor;

namespace engine
{

// What a thread needs to decode chunks.
class ChunkDecoder
{
  public:
    ChunkDecoder(const Hdf5Dataset& dataset, std::vector<ChunkFilter> filters, std::size_t bytesOfNumber);

    // The bytes of the chunk that begins there; null where it was never written, or HDF5 can't read it. Throws
    // Error(badFile) where its filters make anything but a whole chunk.
    char* at(const std::vector<long long>& start);
    bool wasWritten() const { return m_wasWritten; } // the last one: then it can't be read, where there is none

  private:
    void decode(const ChunkFilter& filter, std::size_t wanted, const std::vector<long long>& start);
    void inflate(std::size_t wanted, const std::vector<long long>& start);
    void byPlugin(const ChunkFilter& filter, std::size_t wanted, const std::vector<long long>& start);
    void unshuffle(std::size_t wanted, const std::vector<long long>& start);
    void takeChecksum(const std::vector<long long>& start);
    void require(bool isWhole, const std::vector<long long>& start) const;

    const Hdf5Dataset& m_dataset;
    std::vector<ChunkFilter> m_filters;
    std::size_t m_bytesOfNumber, m_bytes; // of a chunk
    std::unique_ptr<libdeflate_decompressor, void (*)(libdeflate_decompressor*)> m_decompressor;
    Buffer<char> m_data, m_other;
    bool m_wasWritten = false;
};

} // namespace engine
