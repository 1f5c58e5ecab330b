// SPDX-License-Identifier: GPL-3.0-or-later
// Sums of values of several processes on one machine, computed through shared memory.
#pragma once

#include <cstddef>
#include <functional>
#include <span>

namespace engine
{

// Sums through shared memory. Every process but the first hands over its values in pieces, up to a few pieces ahead.
// The first process adds the values of all processes, piece by piece, in the order of the processes' numbers. Uses
// the threads of the calling task arena.
class SharedSum
{
  public:
    static std::size_t bytesFor(int processes);

    // memory: bytesFor() bytes, initially 0, aligned to 64 bytes; must outlive this object. number: of this process,
    // from 0.
    SharedSum(void* memory, int processes, int number);

    // Sums the values into those of the first process. All processes call it, with the same number of values. isOver:
    // called while waiting; true ends the wait with Error(cancelled), and the memory can't be used after that.
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
