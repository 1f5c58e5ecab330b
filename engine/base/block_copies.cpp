// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/block_copies.h"

#include "engine/base/copy_around.h"
#include "engine/base/start_thread.h"

#include <algorithm>
#include <cstring>

namespace engine
{

namespace
{

// Limits of the block size in bytes: two of the largest blocks per thread fit the caches; small copies use smaller
// blocks, so that every thread has work.
constexpr std::size_t largestBlock = std::size_t{1} << 22, smallestBlock = std::size_t{1} << 18;

} // namespace

int BlockCopies::usualThreads()
{
    return std::clamp(static_cast<int>(std::thread::hardware_concurrency()) / 2, 1, 8);
}

BlockCopies::BlockCopies(Direction direction, std::vector<std::unique_ptr<Way>> ways) : m_direction(direction)
{
    for (std::unique_ptr<Way>& way : ways) {
        m_workers.push_back(std::make_unique<Worker>());
        Worker& worker = *m_workers.back();
        worker.way = std::move(way);
        worker.thread = startThread([this, &worker](const std::stop_token& stop) { work(worker, stop); });
    }
}

BlockCopies::~BlockCopies()
{
    abandon();
}

BlockCopies::Worker::~Worker()
{
    thread.request_stop();
    wanted.release();
}

void BlockCopies::upload(const char* from, const Pieces& pieces)
{
    m_from = from;
    m_pieces = pieces;
    if (pieces.bytes == pieces.stride)
        m_pieces = {pieces.bytes * pieces.count, pieces.bytes * pieces.count, 1};
    begin();
}

void BlockCopies::download(char* to, std::size_t bytes)
{
    m_to = to;
    m_pieces = {bytes, bytes, 1};
    begin();
}

void BlockCopies::begin()
{
    m_bytes = m_pieces.bytes * m_pieces.count;
    m_next = 0;
    m_block = std::clamp(m_bytes / (2 * m_workers.size()) / 16384 * 16384, smallestBlock, largestBlock);
    const std::size_t wanted = std::min((m_bytes + m_block - 1) / m_block, m_workers.size());
    {
        const std::lock_guard lock(m_mutex);
        m_working = static_cast<int>(wanted);
    }
    for (std::size_t k = 0; k < wanted; ++k)
        m_workers[k]->wanted.release();
}

void BlockCopies::wait()
{
    std::unique_lock lock(m_mutex);
    m_idle.wait(lock, [this] { return m_working == 0; });
    if (const std::exception_ptr error = std::exchange(m_error, nullptr))
        std::rethrow_exception(error);
}

void BlockCopies::abandon() noexcept
{
    m_next = m_bytes;
    std::unique_lock lock(m_mutex);
    m_idle.wait(lock, [this] { return m_working == 0; });
    m_error = nullptr;
}

void BlockCopies::work(Worker& worker, const std::stop_token& stop)
{
    while (true) {
        worker.wanted.acquire();
        if (stop.stop_requested())
            return;
        std::exception_ptr error;
        try {
            worker.way->begin(m_block);
            if (m_direction == Direction::toDevice)
                sendBlocks(*worker.way);
            else
                fetchBlocks(*worker.way);
        } catch (...) {
            error = std::current_exception();
            m_next = m_bytes; // the other threads can stop
        }
        const std::lock_guard lock(m_mutex);
        if (error && !m_error)
            m_error = error;
        if (--m_working == 0)
            m_idle.notify_all();
    }
}

BlockCopies::Block BlockCopies::next()
{
    const std::size_t first = m_next.fetch_add(m_block);
    return first < m_bytes ? Block{first, std::min(m_block, m_bytes - first)} : Block{};
}

// Copies `bytes` bytes of the pieces to `to`. `first` is an offset into the pieces laid end to end.
void BlockCopies::gather(char* to, std::size_t first, std::size_t bytes) const
{
    while (bytes > 0) {
        const std::size_t piece = first / m_pieces.bytes, begin = first % m_pieces.bytes;
        const std::size_t now = std::min(bytes, m_pieces.bytes - begin);
        std::memcpy(to, m_from + piece * m_pieces.stride + begin, now);
        to += now, first += now, bytes -= now;
    }
}

void BlockCopies::sendBlocks(Way& way)
{
    for (int turn = 0;; turn ^= 1) {
        const Block block = next();
        if (block.bytes == 0)
            return;
        way.finish(turn);
        gather(way.block(turn), block.first, block.bytes);
        way.send(turn, block.first, block.bytes);
    }
}

void BlockCopies::fetchBlocks(Way& way)
{
    Block underWay[2];
    for (int turn = 0;; turn ^= 1) {
        if (Block& arriving = underWay[turn]; arriving.bytes > 0) {
            way.finish(turn);
            copyAround(reinterpret_cast<float*>(m_to + arriving.first), reinterpret_cast<const float*>(way.block(turn)),
                       arriving.bytes / sizeof(float));
        }
        underWay[turn] = next();
        if (const Block& block = underWay[turn]; block.bytes > 0)
            way.fetch(turn, block.first, block.bytes);
        else if (underWay[turn ^ 1].bytes == 0)
            return;
    }
}

} // namespace engine
