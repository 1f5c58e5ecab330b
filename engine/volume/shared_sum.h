// SPDX-License-Identifier: GPL-3.0-or-later
// Values of several processes of one machine, summed through memory that all of them see.
#pragma once

#include <cstddef>
#include <functional>
#include <span>

namespace engine
{

// Each but the first hands its values over in pieces, a few ahead; the first adds those of all, piece by piece, in the
// order of their numbers. By the threads of the task arena that it is called in.
class SharedSum
{
  public:
    static std::size_t bytesFor(int processes);

    // memory: bytesFor() of them, 0 at first, aligned to 64 bytes; outlives it. number: this one's, from 0.
    SharedSum(void* memory, int processes, int number);

    // All call it, with as many values; those of the first become the sums. isOver: asked while it waits; true ends it
    // with Error(cancelled), and the memory is worth nothing after that.
    void sum(std::span<float> values, const std::function<bool()>& isOver);

  private:
    struct Lane;
    Lane& lane(int number) const;
    void give(std::span<const float> piece, const std::function<bool()>& isOver) const;
    void add(std::span<float> piece, const std::function<bool()>& isOver) const;

    void* m_memory;
    int m_processes, m_number;
    unsigned long long m_pieces = 0; // so far
};

} // namespace engine
