// SPDX-License-Identifier: GPL-3.0-or-later
// Blocks of numbers, put together from decoded chunks.
#pragma once

#include "engine/io/hdf5/chunk_decoder.h"

#include <cstddef>
#include <functional>
#include <vector>

namespace engine
{

// A block of numbers: first position and count along each dimension; each count is at least one.
struct NumberBlock {
    std::vector<long long> first, count;

    std::size_t numbers() const;
    std::size_t indexOf(const std::vector<long long>& position) const; // of the number there, in row-major order
};

// Copies a part that lies in both blocks, from the numbers of block `there` to those of block `here`.
void copyPart(const NumberBlock& part, const char* from, const NumberBlock& there, char* to, const NumberBlock& here,
              std::size_t bytesOfNumber);

// Calls act(chunk, part) for each chunk that a block touches: the chunk's first position, and the part of the block
// in it.
void forChunks(const NumberBlock& block, const std::vector<long long>& edges,
               const std::function<void(const std::vector<long long>& chunk, const NumberBlock& part)>& act);

// A part of a block that lies in a chunk without numbers.
struct MissingPart {
    NumberBlock part;
    bool wasWritten; // then the chunk can't be read
};

// Decodes the chunks that a block touches, and copies their numbers, as they are stored, to `numbers`. Returns the
// parts for which there are none. Throws Error(badFile) for a damaged chunk.
std::vector<MissingPart> readChunks(ChunkDecoder& decoder, const std::vector<long long>& edges,
                                    const NumberBlock& block, char* numbers, std::size_t bytesOfNumber);

} // namespace engine
