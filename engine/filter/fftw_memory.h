// SPDX-License-Identifier: GPL-3.0-or-later
// Memory for FFTW, which by itself ends the program when malloc fails. fftw_memory.cpp replaces the function by which
// FFTW allocates all of its memory.
#pragma once

#include <cstddef>

namespace engine
{

// Block of memory for the FFTW calls that this thread makes while the object lives: for all allocations (`only`), or
// for those that malloc refuses (`fallback`). Without such an object FFTW's memory comes from malloc alone. An
// allocation that fails throws std::bad_alloc through FFTW's frames.
class FftwReserve
{
  public:
    enum class Use {
        fallback, // pieces that FFTW keeps outlive the object
        only
    };
    FftwReserve(std::size_t bytes, Use use); // throws std::bad_alloc
    ~FftwReserve();
    FftwReserve(const FftwReserve&) = delete;
    FftwReserve& operator=(const FftwReserve&) = delete;

    std::size_t mostUsed() const; // bytes, so far

  private:
    friend struct FftwMemory;
    class Heap;
    Heap* m_heap;
    Use m_use;
    FftwReserve* m_outer; // the thread's reserve when this one was created
};

} // namespace engine
