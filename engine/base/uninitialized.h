// SPDX-License-Identifier: GPL-3.0-or-later
// Vectors that leave new values uninitialised: for values that are written before they are read, by several threads.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <new>
#include <thread>
#include <utility>
#include <vector>

namespace engine
{

// Asks the system to use pages of 2 MiB for memory that isn't touched yet. This saves page faults: zeroing 512 MiB
// takes 51 ms instead of 276 to 339 once the machine has provided the memory (AMD EPYC 9004 under KVM, November
// 2026).
void preferLargePages(void* memory, std::size_t bytes);

// Allocates memory for Uninitialized; large blocks are aligned to large pages. Throws std::bad_alloc.
void* allocateUninitialized(std::size_t bytes);
void freeUninitialized(void* memory, std::size_t bytes) noexcept;

// Cache of freed large buffers, active while an object of this class exists. A new buffer uses a cached block that is
// not more than twice as large. The groups of a volume, including the shorter ones at its ends, thus reuse the same
// pages, which are requested from the system, zeroed and returned only once instead of for every group. A new large
// buffer for which no cached block is suitable frees all cached blocks.
class KeptBuffers
{
  public:
    KeptBuffers();
    ~KeptBuffers();
    KeptBuffers(const KeptBuffers&) = delete;
    KeptBuffers& operator=(const KeptBuffers&) = delete;
};

// Allocator with which resize(n) neither sets nor touches new values: the first touch of memory takes time, which the
// threads that fill it can then share. resize(n, value) sets them as usual.
template <typename T>
struct Uninitialized : std::allocator<T> {
    template <typename U>
    struct rebind {
        using other = Uninitialized<U>;
    };

    T* allocate(std::size_t count)
    {
        if (count > static_cast<std::size_t>(-1) / sizeof(T))
            throw std::bad_alloc();
        return static_cast<T*>(allocateUninitialized(count * sizeof(T)));
    }
    void deallocate(T* memory, std::size_t count) noexcept { freeUninitialized(memory, count * sizeof(T)); }
    template <typename U>
    void construct(U* place) noexcept
    {
        ::new (static_cast<void*>(place)) U;
    }
    template <typename U, typename... Arguments>
    void construct(U* place, Arguments&&... arguments)
    {
        ::new (static_cast<void*>(place)) U(std::forward<Arguments>(arguments)...);
    }
};

// Threads that touch the pages of large memory before it is filled, while the threads that will fill it still wait
// for the first values. The contents don't change; blocks reused by KeptBuffers are skipped. The destructor stops the
// threads, even if pages are left. Measurements: tests/bench/results/h200-copies.md.
class TouchAhead
{
  public:
    // A quarter of the cores: with half of them, the copies would have to wait for memory.
    static int usualThreads() { return static_cast<int>(std::thread::hardware_concurrency() / 4); }

    TouchAhead(void* memory, std::size_t bytes, int threads = usualThreads());
    ~TouchAhead();
    TouchAhead(const TouchAhead&) = delete;
    TouchAhead& operator=(const TouchAhead&) = delete;

  private:
    void touch(const std::stop_token& stop);

    char* m_begin = nullptr;
    std::size_t m_bytes = 0;
    std::atomic<std::size_t> m_next = 0;
    std::vector<std::jthread> m_threads; // last member: they use the others
};

template <typename T>
using Buffer = std::vector<T, Uninitialized<T>>;
using Values = Buffer<float>;

} // namespace engine
