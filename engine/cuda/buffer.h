// Device memory and pinned host memory, owned.
#pragma once

#include "engine/cuda/check.h"

#include <cstddef>
#include <utility>

namespace engine
{

// `count` values of T on the current device. Movable, not copyable; empty by default.
template <typename T>
class DeviceBuffer
{
  public:
    DeviceBuffer() = default;
    explicit DeviceBuffer(std::size_t count) : m_count(count)
    {
        if (count)
            SINOSCOPE_CUDA(cudaMalloc(&m_data, count * sizeof(T)));
    }
    ~DeviceBuffer() { cudaFree(m_data); }
    DeviceBuffer(DeviceBuffer&& other) noexcept
        : m_data(std::exchange(other.m_data, nullptr)), m_count(std::exchange(other.m_count, 0))
    {
    }
    DeviceBuffer& operator=(DeviceBuffer&& other) noexcept
    {
        std::swap(m_data, other.m_data);
        std::swap(m_count, other.m_count);
        return *this;
    }
    T* data() const { return m_data; }
    std::size_t size() const { return m_count; }

    // Grows when it is too small; contents are not kept.
    void reserve(std::size_t count)
    {
        if (count <= m_count)
            return;
        *this = DeviceBuffer();
        *this = DeviceBuffer(count);
    }

  private:
    T* m_data = nullptr;
    std::size_t m_count = 0;
};

// Page-locked host memory: the only kind that is copied while kernels run.
template <typename T>
class PinnedBuffer
{
  public:
    PinnedBuffer() = default;
    explicit PinnedBuffer(std::size_t count) : m_count(count)
    {
        if (count)
            SINOSCOPE_CUDA(cudaMallocHost(&m_data, count * sizeof(T)));
    }
    ~PinnedBuffer() { cudaFreeHost(m_data); }
    PinnedBuffer(PinnedBuffer&& other) noexcept
        : m_data(std::exchange(other.m_data, nullptr)), m_count(std::exchange(other.m_count, 0))
    {
    }
    PinnedBuffer& operator=(PinnedBuffer&& other) noexcept
    {
        std::swap(m_data, other.m_data);
        std::swap(m_count, other.m_count);
        return *this;
    }
    T* data() const { return m_data; }
    std::size_t size() const { return m_count; }

    void reserve(std::size_t count)
    {
        if (count <= m_count)
            return;
        *this = PinnedBuffer();
        *this = PinnedBuffer(count);
    }

  private:
    T* m_data = nullptr;
    std::size_t m_count = 0;
};

} // namespace engine
