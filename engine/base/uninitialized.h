// SPDX-License-Identifier: GPL-3.0-or-later
// Buffers that leave new values uninitialised: for values that are written before they are read, by several threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <new>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace engine
{

// Asks the system to use pages of 2 MiB for memory that isn't touched yet. This saves page faults: zeroing 512 MiB
// takes 51 ms instead of 276 to 339 once the machine has provided the memory (AMD EPYC 9004 under KVM, November
// 2026).
void preferLargePages(void* memory, std::size_t bytes);

// Allocates memory for Buffer; large blocks are aligned to large pages. Throws std::bad_alloc.
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

// Values one after the other, which stay unset until they are written: the first touch of memory takes time, which the
// threads that fill it can then share. It has the functions of std::vector. The destructor of a std::vector with an
// allocator of its own visits every value, and resize() copies them one by one, unless the compiler finds out at -O2
// that this does nothing.
template <typename T>
class Buffer
{
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

  public:
    using value_type = T;
    using size_type = std::size_t;
    using iterator = T*;
    using const_iterator = const T*;

    Buffer() = default;
    // Values that are not set. Throws std::bad_alloc.
    explicit Buffer(std::size_t count) : m_size(count), m_capacity(count) { m_data = allocated(count); }
    Buffer(std::size_t count, T value) : Buffer(count) { fill(0, value); }
    template <std::forward_iterator Iterator>
    Buffer(Iterator first, Iterator last) : Buffer(static_cast<std::size_t>(std::distance(first, last)))
    {
        std::uninitialized_copy(first, last, m_data);
    }
    Buffer(std::initializer_list<T> values) : Buffer(values.begin(), values.end()) {}
    Buffer(const Buffer& other) : Buffer(other.m_size) { copy(other.m_data, other.m_size); }
    Buffer(Buffer&& other) noexcept { swap(other); }
    Buffer& operator=(const Buffer& other)
    {
        if (this != &other) {
            if (other.m_size > m_capacity)
                Buffer(other.m_size).swap(*this);
            m_size = other.m_size;
            copy(other.m_data, m_size);
        }
        return *this;
    }
    Buffer& operator=(Buffer&& other) noexcept
    {
        Buffer(std::move(other)).swap(*this);
        return *this;
    }
    ~Buffer()
    {
        if (m_data)
            freeUninitialized(m_data, m_capacity * sizeof(T));
    }

    T* data() noexcept { return m_data; }
    const T* data() const noexcept { return m_data; }
    std::size_t size() const noexcept { return m_size; }
    bool empty() const noexcept { return m_size == 0; }
    std::size_t capacity() const noexcept { return m_capacity; }
    T* begin() noexcept { return m_data; }
    T* end() noexcept { return m_data + m_size; }
    const T* begin() const noexcept { return m_data; }
    const T* end() const noexcept { return m_data + m_size; }
    T& operator[](std::size_t index) noexcept { return m_data[index]; }
    const T& operator[](std::size_t index) const noexcept { return m_data[index]; }

    T& front() noexcept { return m_data[0]; }
    const T& front() const noexcept { return m_data[0]; }
    T& back() noexcept { return m_data[m_size - 1]; }
    const T& back() const noexcept { return m_data[m_size - 1]; }

    void swap(Buffer& other) noexcept
    {
        std::swap(m_data, other.m_data);
        std::swap(m_size, other.m_size);
        std::swap(m_capacity, other.m_capacity);
    }
    void clear() noexcept { m_size = 0; }
    // Keeps the first values; new ones are not set. Throws std::bad_alloc; the values are then as before.
    void resize(std::size_t count)
    {
        if (count > m_capacity) {
            Buffer larger(count);
            larger.copy(m_data, m_size);
            swap(larger);
        }
        m_size = count;
    }
    void reserve(std::size_t count)
    {
        const std::size_t before = m_size;
        if (count > m_capacity)
            resize(count);
        m_size = before;
    }
    void resize(std::size_t count, T value)
    {
        const std::size_t before = m_size;
        resize(count);
        fill(before, value);
    }
    void assign(std::size_t count, T value)
    {
        clear();
        resize(count, value);
    }
    template <std::forward_iterator Iterator>
    void assign(Iterator first, Iterator last)
    {
        clear();
        resize(static_cast<std::size_t>(std::distance(first, last)));
        std::uninitialized_copy(first, last, m_data);
    }

    void push_back(T value)
    {
        makeRoom(1);
        m_data[m_size++] = value;
    }
    void pop_back() noexcept { --m_size; }
    // Adds values of another container at `place`. Returns the place of the first one.
    template <std::forward_iterator Iterator>
    T* insert(const T* place, Iterator first, Iterator last)
    {
        const auto index = place - begin();
        const auto count = std::distance(first, last);
        makeRoom(static_cast<std::size_t>(count));
        T* const at = m_data + index;
        std::copy_backward(at, end(), end() + count);
        std::copy(first, last, at);
        m_size += static_cast<std::size_t>(count);
        return at;
    }

    friend bool operator==(const Buffer& a, const Buffer& b)
    {
        return std::equal(a.begin(), a.end(), b.begin(), b.end());
    }

  private:
    static T* allocated(std::size_t count)
    {
        if (count > static_cast<std::size_t>(-1) / sizeof(T))
            throw std::bad_alloc();
        return count == 0 ? nullptr : static_cast<T*>(allocateUninitialized(count * sizeof(T)));
    }
    // Sets all values from the one with this index on.
    void fill(std::size_t from, T value) noexcept
    {
        const T zero{};
        if (from >= m_size)
            return;
        if (std::memcmp(&value, &zero, sizeof(T)) == 0) // not for -0
            std::memset(m_data + from, 0, (m_size - from) * sizeof(T));
        else
            std::fill(m_data + from, m_data + m_size, value);
    }
    void makeRoom(std::size_t count)
    {
        if (m_size + count > m_capacity)
            reserve(std::max(m_size + count, 2 * m_capacity));
    }
    void copy(const T* from, std::size_t count) noexcept
    {
        if (count > 0)
            std::memcpy(m_data, from, count * sizeof(T));
    }

    T* m_data = nullptr;
    std::size_t m_size = 0, m_capacity = 0;
};

using Values = Buffer<float>;

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

} // namespace engine
