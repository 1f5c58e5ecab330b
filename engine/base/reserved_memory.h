// SPDX-License-Identifier: GPL-3.0-or-later
// Reserved memory for a library that crashes, or ends the program, if an allocation fails.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace engine
{

// Reserves memory in malloc: allocates `bytes` in small pieces and frees all but the last piece. While that piece,
// above the others, is allocated, glibc's malloc retains the freed pieces instead of returning them to the system.
// Construct it immediately before the work, in the thread that does it.
class ReservedMemory
{
  public:
    explicit ReservedMemory(std::size_t bytes) // throws std::bad_alloc
    {
        constexpr std::size_t piece = 1 << 16; // too small for a mapping of its own
        const std::size_t count = bytes / piece + 2;
        std::vector<std::unique_ptr<std::byte[]>> pieces;
        pieces.reserve(count);
        while (pieces.size() < count)
            pieces.emplace_back(new std::byte[piece]);
        m_last = std::move(pieces.back());
    }

  private:
    std::unique_ptr<std::byte[]> m_last;
};

} // namespace engine
