// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/uninitialized.h"

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <mutex>
#include <system_error>

namespace engine
{

namespace
{

constexpr std::size_t largePage = 2 << 20;
constexpr std::size_t largeBlock = 32 << 20; // blocks of this size or more are cached

// State of the allocator, one per process.
struct Blocks {
    std::mutex mutex;
    struct Given {
        std::size_t bytes = 0;
        bool wasUsed = false; // by an earlier buffer
    };
    int keeping = 0;                        // number of KeptBuffers
    std::map<void*, Given> given;           // large blocks in use
    std::multimap<std::size_t, void*> kept; // large blocks that were freed and are cached

    void releaseAll()
    {
        for (const auto& [bytes, memory] : kept)
            std::free(memory);
        kept.clear();
    }
};

Blocks& blocks()
{
    static Blocks state;
    return state;
}

} // namespace

void preferLargePages(void* memory, std::size_t bytes)
{
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    const auto begin = (reinterpret_cast<std::uintptr_t>(memory) + largePage - 1) / largePage * largePage;
    const auto end = (reinterpret_cast<std::uintptr_t>(memory) + bytes) / largePage * largePage;
    if (end > begin)
        madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE); // only a hint: small pages work too
#else
    static_cast<void>(memory);
    static_cast<void>(bytes);
#endif
}

void* allocateUninitialized(std::size_t bytes)
{
    if (bytes < largeBlock)
        return ::operator new(bytes);
    if (bytes > SIZE_MAX - largePage)
        throw std::bad_alloc();
    const std::size_t size = (bytes + largePage - 1) / largePage * largePage;
    Blocks& state = blocks();
    const std::lock_guard lock(state.mutex);
    if (const auto kept = state.kept.lower_bound(size); kept != state.kept.end() && kept->first <= 2 * size) {
        const auto [held, memory] = *kept;
        state.given.emplace(memory, Blocks::Given{held, true}); // if this throws, the block stays cached
        state.kept.erase(kept);
        return memory;
    }
    state.releaseAll(); // blocks of these sizes may not be needed again
    void* memory = std::aligned_alloc(largePage, size);
    if (!memory)
        throw std::bad_alloc();
    try {
        state.given.emplace(memory, Blocks::Given{size, false});
    } catch (...) {
        std::free(memory);
        throw;
    }
    preferLargePages(memory, size);
    return memory;
}

void freeUninitialized(void* memory, std::size_t bytes) noexcept
{
    if (bytes < largeBlock)
        return ::operator delete(memory);
    Blocks& state = blocks();
    const std::lock_guard lock(state.mutex);
    const auto given = state.given.find(memory);
    bool kept = false;
    if (state.keeping > 0) {
        try {
            state.kept.emplace(given->second.bytes, memory);
            kept = true;
        } catch (const std::bad_alloc&) { // no memory for the map's node
        }
    }
    if (!kept)
        std::free(memory);
    state.given.erase(given);
}

// Linux 5.14 and newer. On older systems, and with headers that lack the name, whoever fills the memory touches it
// first.
#if defined(__linux__) && defined(MADV_POPULATE_WRITE)

namespace
{

// Returns whether an earlier buffer used this large block, so that its pages are present already.
bool wasUsedBefore(void* memory)
{
    Blocks& state = blocks();
    const std::lock_guard lock(state.mutex);
    const auto given = state.given.find(memory);
    return given != state.given.end() && given->second.wasUsed;
}

constexpr std::size_t touchedTogether = 64 << 20; // bytes: longer calls delay page faults of other threads

} // namespace

TouchAhead::TouchAhead(void* memory, std::size_t bytes, int threads)
{
    const auto first = reinterpret_cast<std::uintptr_t>(memory);
    const auto begin = (first + largePage - 1) / largePage * largePage, end = (first + bytes) / largePage * largePage;
    if (end <= begin || end - begin < touchedTogether || wasUsedBefore(memory))
        return;
    m_begin = reinterpret_cast<char*>(begin);
    m_bytes = end - begin;
    try {
        for (int k = 0; k < threads; ++k)
            m_threads.emplace_back([this](const std::stop_token& stop) { touch(stop); });
    } catch (const std::system_error&) { // no more threads: go on with those started, or with none
    }
}

void TouchAhead::touch(const std::stop_token& stop)
{
    while (!stop.stop_requested()) {
        const std::size_t at = m_next.fetch_add(touchedTogether);
        if (at >= m_bytes || madvise(m_begin + at, std::min(touchedTogether, m_bytes - at), MADV_POPULATE_WRITE) != 0)
            return; // not supported, or no memory: left to whoever fills the memory
    }
}

#else

TouchAhead::TouchAhead(void*, std::size_t, int) {}
void TouchAhead::touch(const std::stop_token&) {}

#endif

TouchAhead::~TouchAhead()
{
    for (std::jthread& thread : m_threads) // stop all before waiting for the first
        thread.request_stop();
}

KeptBuffers::KeptBuffers()
{
    const std::lock_guard lock(blocks().mutex);
    ++blocks().keeping;
}

KeptBuffers::~KeptBuffers()
{
    Blocks& state = blocks();
    const std::lock_guard lock(state.mutex);
    if (--state.keeping == 0)
        state.releaseAll();
}

} // namespace engine
