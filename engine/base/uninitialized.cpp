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
constexpr std::size_t largeBlock = 32 << 20; // from here on blocks are kept

// As an allocator of the system's has: what it knows of its blocks belongs to the process.
struct Blocks {
    std::mutex mutex;
    struct Given {
        std::size_t bytes = 0;
        bool wasUsed = false; // before, by another buffer
    };
    int keeping = 0;                        // KeptBuffers
    std::map<void*, Given> given;           // large ones in use
    std::multimap<std::size_t, void*> kept; // large ones let go of

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
        madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE); // only advice: small pages do as well
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
        state.given.emplace(memory, Blocks::Given{held, true}); // where it throws it is kept as before
        state.kept.erase(kept);
        return memory;
    }
    state.releaseAll(); // of sizes that may not come any more
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
        } catch (const std::bad_alloc&) { // of a node
        }
    }
    if (!kept)
        std::free(memory);
    state.given.erase(given);
}

// Linux 5.14 and newer; older systems, and headers without the name, leave the first touch to whoever fills the memory.
#if defined(__linux__) && defined(MADV_POPULATE_WRITE)

namespace
{

// A large block of Uninitialized that another buffer had before has its pages.
bool wasUsedBefore(void* memory)
{
    Blocks& state = blocks();
    const std::lock_guard lock(state.mutex);
    const auto given = state.given.find(memory);
    return given != state.given.end() && given->second.wasUsed;
}

constexpr std::size_t touchedTogether = 64 << 20; // bytes: longer calls hold up the faults of other threads

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
    } catch (const std::system_error&) { // no more threads: those that there are do it, or none
    }
}

void TouchAhead::touch(const std::stop_token& stop)
{
    while (!stop.stop_requested()) {
        const std::size_t at = m_next.fetch_add(touchedTogether);
        if (at >= m_bytes || madvise(m_begin + at, std::min(touchedTogether, m_bytes - at), MADV_POPULATE_WRITE) != 0)
            return; // an old system, or no memory, which whoever fills it will meet
    }
}

#else

TouchAhead::TouchAhead(void*, std::size_t, int) {}
void TouchAhead::touch(const std::stop_token&) {}

#endif

TouchAhead::~TouchAhead()
{
    for (std::jthread& thread : m_threads) // all of them, before the first is waited for
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
