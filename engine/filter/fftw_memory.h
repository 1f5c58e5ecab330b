// SPDX-License-Identifier: GPL-3.0-or-later
// Memory of FFTW, which ends the program where malloc fails. fftw_memory.cpp replaces the function through which FFTW
// takes all of its memory.
#pragma once

#include <cstddef>

namespace engine
{

// A block of memory for the calls of FFTW that this thread makes while the object lives. What FFTW needs then has to
// fit into it; without an object, and where it doesn't fit, std::bad_alloc is thrown through FFTW's frames.
class FftwReserve
{
  public:
    enum class Use {
        fallback, // of what malloc doesn't give. What FFTW keeps of it outlives the object
        only
    };
    FftwReserve(std::size_t bytes, Use use); // throws std::bad_alloc
    ~FftwReserve();
    FftwReserve(const FftwReserve&) = delete;
    FftwReserve& operator=(const FftwReserve&) = delete;

    std::size_t mostUsed() const; // bytes, up to now

  private:
    friend struct FftwMemory;
    class Heap;
    Heap* m_heap;
    Use m_use;
    FftwReserve* m_outer; // of this thread, when this one was made
};

} // namespace engine
