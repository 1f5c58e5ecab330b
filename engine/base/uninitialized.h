// SPDX-License-Identifier: GPL-3.0-or-later
// Vectors whose new values are what the memory held: for what is written before it is read, and by several threads.
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

// Asks the system for pages of 2 MiB in these bytes, not yet touched. Fewer faults: zeroing 512 MiB takes 51 ms
// instead of 276 to 339 once the machine has given the memory (AMD EPYC 9004 under KVM, November 2026).
void preferLargePages(void* memory, std::size_t bytes);

// Memory for Uninitialized; large blocks begin at large pages. Throws std::bad_alloc.
void* allocateUninitialized(std::size_t bytes);
void freeUninitialized(void* memory, std::size_t bytes) noexcept;

// While one of these lives, large buffers that are let go of are kept, for the next that they hold without wasting more
// than it needs: the pages of a volume's groups are asked for once, and not zeroed, and given back, with every group,
// also with the shorter ones at its ends. One that none of them holds lets go of what is kept.
class KeptBuffers
{
  public:
    KeptBuffers();
    ~KeptBuffers();
    KeptBuffers(const KeptBuffers&) = delete;
    KeptBuffers& operator=(const KeptBuffers&) = delete;
};

// resize(n) leaves new values as they are and touches none: the first touch of memory is what takes time, and the
// threads that fill them share it. resize(n, value) fills them as ever.
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

// Threads that touch the pages of large memory ahead of those who fill it, while these still wait for the first values.
// What the memory holds stays as it is; memory that KeptBuffers kept is left alone. The destructor ends them,
// also before they have touched all. Figures: tests/bench/results/h200-copies.md.
class TouchAhead
{
  public:
    // A quarter of the cores leaves the copies theirs: with half of them these wait for memory.
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
    std::vector<std::jthread> m_threads; // last: they use the rest
};

template <typename T>
using Buffer = std::vector<T, Uninitialized<T>>;
using Values = Buffer<float>;

} // namespace engine
