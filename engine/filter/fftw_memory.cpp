// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/filter/fftw_memory.h"

#include <algorithm>
#include <cstdlib>
#include <new>

namespace engine
{

namespace
{

// Header before each piece of memory; 16 bytes, the alignment that FFTW needs.
template <typename Heap>
struct alignas(16) FftwPiece {
    Heap* heap;        // heap in which the piece is in use; null if it is free, or from malloc
    std::size_t bytes; // including this header
};

constexpr std::size_t roundedUp(std::size_t bytes)
{
    return (bytes + 15) / 16 * 16;
}

thread_local FftwReserve* currentReserve = nullptr;

} // namespace

// Heap whose pieces lie one after the other behind the object, in the same block of memory. An allocation gets the
// first free piece that is large enough. Only one thread may use a heap at a time.
class alignas(16) FftwReserve::Heap
{
  public:
    using Piece = FftwPiece<Heap>;

    explicit Heap(std::size_t bytes) : m_bytes(bytes) { *first() = {nullptr, bytes}; }

    static Heap* make(std::size_t bytes)
    {
        bytes = std::max(roundedUp(bytes), sizeof(Piece));
        void* const memory = std::malloc(sizeof(Heap) + bytes);
        if (!memory)
            throw std::bad_alloc();
        return new (memory) Heap(bytes);
    }

    void* take(std::size_t bytes) noexcept // null if no free piece is large enough
    {
        const std::size_t wanted = sizeof(Piece) + roundedUp(bytes);
        for (Piece* piece = first(); piece != end(); piece = after(piece)) {
            if (piece->heap)
                continue;
            joinFree(piece);
            if (piece->bytes < wanted)
                continue;
            if (const std::size_t rest = piece->bytes - wanted; rest > sizeof(Piece)) {
                piece->bytes = wanted;
                *after(piece) = {nullptr, rest};
            }
            piece->heap = this;
            m_used += piece->bytes;
            m_mostUsed = std::max(m_mostUsed, static_cast<std::size_t>(start(after(piece)) - start(first())));
            return piece + 1;
        }
        return nullptr;
    }

    void giveBack(Piece* piece) noexcept
    {
        piece->heap = nullptr;
        m_used -= piece->bytes;
        freeIfDone();
    }

    void abandon() noexcept // the heap is freed with its last used piece
    {
        m_isAbandoned = true;
        freeIfDone();
    }

    std::size_t mostUsed() const { return m_mostUsed; }

  private:
    static std::byte* start(void* thing) { return static_cast<std::byte*>(thing); }
    Piece* first() { return reinterpret_cast<Piece*>(this + 1); }
    Piece* end() { return reinterpret_cast<Piece*>(start(this + 1) + m_bytes); }
    static Piece* after(Piece* piece) { return reinterpret_cast<Piece*>(start(piece) + piece->bytes); }

    void joinFree(Piece* piece) noexcept
    {
        for (Piece* next = after(piece); next != end() && !next->heap; next = after(piece))
            piece->bytes += next->bytes;
    }

    void freeIfDone() noexcept
    {
        if (m_isAbandoned && m_used == 0)
            std::free(this);
    }

    std::size_t m_bytes, m_used = 0, m_mostUsed = 0;
    bool m_isAbandoned = false;
};

FftwReserve::FftwReserve(std::size_t bytes, Use use) : m_heap(Heap::make(bytes)), m_use(use), m_outer(currentReserve)
{
    currentReserve = this;
}

FftwReserve::~FftwReserve()
{
    currentReserve = m_outer;
    m_heap->abandon();
}

std::size_t FftwReserve::mostUsed() const
{
    return m_heap->mostUsed();
}

struct FftwMemory {
    using Piece = FftwReserve::Heap::Piece;

    static void* take(std::size_t bytes)
    {
        const FftwReserve* const reserve = currentReserve;
        if (!reserve || reserve->m_use == FftwReserve::Use::fallback)
            if (void* const memory = std::malloc(sizeof(Piece) + bytes))
                return new (memory) Piece{nullptr, sizeof(Piece) + bytes} + 1;
        if (void* const memory = reserve ? reserve->m_heap->take(bytes) : nullptr)
            return memory;
        throw std::bad_alloc();
    }

    static void giveBack(void* memory) noexcept
    {
        if (!memory)
            return;
        auto* const piece = static_cast<Piece*>(memory) - 1;
        if (piece->heap)
            piece->heap->giveBack(piece);
        else
            std::free(piece);
    }
};

} // namespace engine

// These replace FFTW's functions of the same names: a static library's are not linked then, a shared library's are
// replaced when the program is loaded (engine/CMakeLists.txt).
extern "C" {
void* fftw_kernel_malloc(std::size_t bytes)
{
    return engine::FftwMemory::take(bytes);
}
void fftw_kernel_free(void* memory)
{
    engine::FftwMemory::giveBack(memory);
}
void* fftwf_kernel_malloc(std::size_t bytes)
{
    return engine::FftwMemory::take(bytes);
}
void fftwf_kernel_free(void* memory)
{
    engine::FftwMemory::giveBack(memory);
}
}
