// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/volume/shared_sum.h"

#include "engine/base/error.h"
#include "engine/base/parallel_for.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>

namespace engine
{

namespace
{

constexpr std::size_t pieceValues = 1 << 19, piecesAhead = 3;

// Waits for a piece: first by yielding, since the next piece often comes soon, then by sleeping, since others may
// need the core.
template <typename Ready>
void awaitPiece(const Ready& isReady, const std::function<bool()>& isOver)
{
    for (int turn = 0; !isReady(); ++turn) {
        if (turn < 100) {
            std::this_thread::yield();
            continue;
        }
        if (isOver && isOver())
            throw Error(ErrorKind::cancelled, "cancelled");
        std::this_thread::sleep_for(std::chrono::microseconds(20));
    }
}

// Divides the values into parts that are large enough for a thread each.
template <typename Body>
void inParts(std::size_t values, const Body& body)
{
    constexpr std::size_t together = 1 << 16;
    parallelFor(tbb::blocked_range<std::size_t>(0, values, together),
                [&](const tbb::blocked_range<std::size_t>& part) { body(part.begin(), part.end()); });
}

} // namespace

// Shared memory of one process.
struct SharedSum::Lane {
    alignas(64) std::uint64_t given; // number of pieces so far
    alignas(64) std::uint64_t taken;
    alignas(64) float pieces[piecesAhead][pieceValues];

    std::atomic_ref<std::uint64_t> givenPieces() { return std::atomic_ref(given); }
    std::atomic_ref<std::uint64_t> takenPieces() { return std::atomic_ref(taken); }
};

std::size_t SharedSum::bytesFor(int processes)
{
    return sizeof(Lane) * static_cast<std::size_t>(processes - 1);
}

SharedSum::SharedSum(void* memory, int processes, int number)
    : m_memory(memory), m_processes(processes), m_number(number)
{
}

SharedSum::Lane& SharedSum::lane(int number) const
{
    return static_cast<Lane*>(m_memory)[number - 1];
}

void SharedSum::sum(std::span<float> values, const std::function<bool()>& isOver)
{
    for (std::size_t first = 0; first < values.size(); first += pieceValues) {
        const auto piece = values.subspan(first, std::min(pieceValues, values.size() - first));
        if (m_number == 0)
            add(piece, isOver);
        else
            give(piece, isOver);
        ++m_pieces;
    }
}

void SharedSum::give(std::span<const float> piece, const std::function<bool()>& isOver) const
{
    Lane& own = lane(m_number);
    awaitPiece([&] { return m_pieces - own.takenPieces().load(std::memory_order_acquire) < piecesAhead; }, isOver);
    float* to = own.pieces[m_pieces % piecesAhead];
    inParts(piece.size(), [&](std::size_t begin, std::size_t end) {
        std::ranges::copy(piece.subspan(begin, end - begin), to + begin);
    });
    own.givenPieces().store(m_pieces + 1, std::memory_order_release);
}

void SharedSum::add(std::span<float> piece, const std::function<bool()>& isOver) const
{
    for (int number = 1; number < m_processes; ++number)
        awaitPiece([&] { return lane(number).givenPieces().load(std::memory_order_acquire) > m_pieces; }, isOver);
    inParts(piece.size(), [&](std::size_t begin, std::size_t end) {
        for (int number = 1; number < m_processes; ++number) {
            const float* from = lane(number).pieces[m_pieces % piecesAhead];
            for (std::size_t i = begin; i < end; ++i)
                piece[i] += from[i];
        }
    });
    for (int number = 1; number < m_processes; ++number)
        lane(number).takenPieces().store(m_pieces + 1, std::memory_order_release);
}

} // namespace engine
