// SPDX-License-Identifier: GPL-3.0-or-later
// Occupies the memory of a GPU: the amount left decides which allocation of a request fails.
#pragma once

#include <cstddef>

#if SINOSCOPE_HAS_CUDA
#include <cuda_runtime.h>

#include <vector>

inline std::size_t freeBytes()
{
    std::size_t free = 0, total = 0;
    return cudaMemGetInfo(&free, &total) == cudaSuccess ? free : 0;
}

// Allocates all of the GPU's free memory except `leave` bytes, in pieces down to a megabyte.
class Hoard
{
  public:
    explicit Hoard(std::size_t leave)
    {
        std::size_t piece = std::size_t{8} << 30;
        while (piece >= std::size_t{1} << 20) {
            void* data = nullptr;
            if (freeBytes() > leave + piece && cudaMalloc(&data, piece) == cudaSuccess) {
                m_pieces.push_back(data);
            } else {
                cudaGetLastError();
                piece /= 2;
            }
        }
    }
    ~Hoard()
    {
        for (void* data : m_pieces)
            cudaFree(data);
    }
    Hoard(const Hoard&) = delete;
    Hoard& operator=(const Hoard&) = delete;

  private:
    std::vector<void*> m_pieces;
};
#else
inline std::size_t freeBytes()
{
    return 0;
}
#endif
