// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/hdf5/chunk_blocks.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace engine
{

namespace
{

// Calls act with the positions first, first + step, … below end in each dimension; the last dimension varies fastest.
template <typename Act>
void forPositions(const std::vector<long long>& first, const std::vector<long long>& end,
                  const std::vector<long long>& step, Act&& act)
{
    std::vector<long long> at = first;
    for (std::size_t d = at.size(); d > 0;) {
        act(at);
        for (d = at.size(); d > 0 && (at[d - 1] += step[d - 1]) >= end[d - 1]; --d)
            at[d - 1] = first[d - 1];
    }
}

std::vector<long long> endOf(const NumberBlock& block)
{
    std::vector<long long> end = block.first;
    for (std::size_t d = 0; d < end.size(); ++d)
        end[d] += block.count[d];
    return end;
}

} // namespace

std::size_t NumberBlock::numbers() const
{
    return std::accumulate(count.begin(), count.end(), std::size_t{1},
                           [](std::size_t all, long long some) { return all * static_cast<std::size_t>(some); });
}

std::size_t NumberBlock::indexOf(const std::vector<long long>& position) const
{
    std::size_t index = 0;
    for (std::size_t d = 0; d < first.size(); ++d)
        index = index * static_cast<std::size_t>(count[d]) + static_cast<std::size_t>(position[d] - first[d]);
    return index;
}

void copyPart(const NumberBlock& part, const char* from, const NumberBlock& there, char* to, const NumberBlock& here,
              std::size_t bytes)
{
    std::vector<long long> step(part.first.size(), 1);
    step.back() = part.count.back();
    const std::size_t run = static_cast<std::size_t>(part.count.back()) * bytes;
    forPositions(part.first, endOf(part), step, [&](const std::vector<long long>& at) {
        std::memcpy(to + here.indexOf(at) * bytes, from + there.indexOf(at) * bytes, run);
    });
}

void forChunks(const NumberBlock& block, const std::vector<long long>& edges,
               const std::function<void(const std::vector<long long>& chunk, const NumberBlock& part)>& act)
{
    std::vector<long long> first = block.first;
    for (std::size_t d = 0; d < first.size(); ++d)
        first[d] -= first[d] % edges[d];
    const std::vector<long long> end = endOf(block);
    forPositions(first, end, edges, [&](const std::vector<long long>& chunk) {
        NumberBlock part = block;
        for (std::size_t d = 0; d < chunk.size(); ++d) {
            part.first[d] = std::max(block.first[d], chunk[d]);
            part.count[d] = std::min(end[d], chunk[d] + edges[d]) - part.first[d];
        }
        act(chunk, part);
    });
}

std::vector<MissingPart> readChunks(ChunkDecoder& decoder, const std::vector<long long>& edges,
                                    const NumberBlock& block, char* numbers, std::size_t bytesOfNumber)
{
    std::vector<MissingPart> missing;
    forChunks(block, edges, [&](const std::vector<long long>& chunk, const NumberBlock& part) {
        if (const char* data = decoder.at(chunk))
            copyPart(part, data, {chunk, edges}, numbers, block, bytesOfNumber);
        else
            missing.push_back({part, decoder.wasWritten()});
    });
    return missing;
}

} // namespace engine
