// SPDX-License-Identifier: GPL-3.0-or-later
// Memory for a library that crashes, or ends the program, where it gets none.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace engine
{

// So much is taken and given back to malloc at once, all but the last piece: with that above them malloc keeps the
// others, until this goes, instead of giving them back to the system (glibc). For work of this thread that begins now.
class ReservedMemory
{
  public:
    explicit ReservedMemory(std::size_t bytes) // throws std::bad_alloc
    {
        constexpr std::size_t piece = 1 << 16; // small enough not to be a mapping of its own
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
