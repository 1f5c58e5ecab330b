// SPDX-License-Identifier: GPL-3.0-or-later
// Owners of device memory and of pinned host memory.
#pragma once

#include "engine/backends/cuda/device/check.h"

#include <cstddef>
#include <utility>

namespace engine
{

struct DeviceMemory {
    static cudaError_t allocate(void** data, std::size_t bytes) { return cudaMalloc(data, bytes); }
    static void free(void* data) { cudaFree(data); }
};

// Page-locked host memory: only this kind is copied while kernels run.
struct PinnedMemory {
    static cudaError_t allocate(void** data, std::size_t bytes) { return cudaMallocHost(data, bytes); }
    static void free(void* data) { cudaFreeHost(data); }
};

// Buffer of `count` values of T, on the current device or pinned. Movable, not copyable; empty by default.
template <typename T, class Memory>
class CudaBuffer
{
  public:
    CudaBuffer() = default;
    explicit CudaBuffer(std::size_t count) : m_count(count)
    {
        void* data = nullptr;
        if (count)
            checkCuda(Memory::allocate(&data, count * sizeof(T)), "allocation");
        m_data = static_cast<T*>(data);
    }
    ~CudaBuffer() { Memory::free(m_data); }
    CudaBuffer(CudaBuffer&& other) noexcept
        : m_data(std::exchange(other.m_data, nullptr)), m_count(std::exchange(other.m_count, 0))
    {
    }
    CudaBuffer& operator=(CudaBuffer&& other) noexcept
    {
        std::swap(m_data, other.m_data);
        std::swap(m_count, other.m_count);
        return *this;
    }
    T* data() const { return m_data; }
    std::size_t size() const { return m_count; }

    // Enlarges the buffer if it is too small; its contents are lost.
    void reserve(std::size_t count)
    {
        if (count <= m_count)
            return;
        *this = CudaBuffer(); // frees first: the old and the new memory need not fit together
        *this = CudaBuffer(count);
    }

  private:
    T* m_data = nullptr;
    std::size_t m_count = 0;
};

template <typename T>
using DeviceBuffer = CudaBuffer<T, DeviceMemory>;
template <typename T>
using PinnedBuffer = CudaBuffer<T, PinnedMemory>;

} // namespace engine
