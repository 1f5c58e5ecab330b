// SPDX-License-Identifier: GPL-3.0-or-later
// Filters that detectors and h5py compress chunks with: bitshuffle (32008), LZ4 (32004), Zstandard (32015), LZF (32000).
#pragma once

#include "engine/base/uninitialized.h"
#include "engine/io/hdf5/hdf5_types.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

struct ZSTD_DCtx_s;

namespace engine
{

// Returns one of these filters from its number and the parameters it was applied with; nothing for other filters and
// unknown parameters.
std::optional<ChunkFilter> blockFilter(int id, const std::vector<unsigned>& parameters);

// A decoder with its buffers. Each thread needs a decoder of its own.
class BlockDecoder
{
  public:
    // Reverses a filter that blockFilter() returned. Returns false unless the stored bytes decode to all of `out`.
    // Trailing bytes are ignored. Throws std::bad_alloc.
    bool decode(const ChunkFilter& filter, std::span<const char> stored, std::span<char> out);

  private:
    bool unshuffle(const ChunkFilter& filter, std::span<const char> stored, std::span<char> out);
    bool unpackZstd(std::span<const char> packed, std::span<char> out);

    std::unique_ptr<ZSTD_DCtx_s, std::size_t (*)(ZSTD_DCtx_s*)> m_zstd{nullptr, nullptr};
    Buffer<char> m_block; // still shuffled
};

} // namespace engine
