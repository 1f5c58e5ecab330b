// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/host_copies.h"

#include "engine/base/start_thread.h"
#include "engine/cuda/copy_around.h"

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

int HostCopies::usualThreads()
{
    return std::clamp(static_cast<int>(std::thread::hardware_concurrency()) / 2, 1, 8);
}

HostCopies::HostCopies(Direction direction, int threads) : m_direction(direction)
{
    SINOSCOPE_CUDA(cudaGetDevice(&m_device));
    for (int k = 0; k < threads; ++k) {
        m_workers.push_back(std::make_unique<Worker>());
        m_workers.back()->thread =
            startThread([this, &worker = *m_workers.back()](const std::stop_token& stop) { work(worker, stop); });
    }
}

HostCopies::~HostCopies()
{
    abandon();
}

HostCopies::Worker::~Worker()
{
    thread.request_stop();
    wanted.release();
}

void HostCopies::start(float* to, const float* from, std::size_t count, const Event& after)
{
    m_to = reinterpret_cast<char*>(to);
    m_from = reinterpret_cast<const char*>(from);
    m_pieces = {count * sizeof(float), count * sizeof(float), 1};
    begin(after);
}

void HostCopies::start(char* to, const char* from, const Pieces& pieces, const Event& after)
{
    m_to = to;
    m_from = from;
    m_pieces = pieces;
    if (pieces.bytes == pieces.stride)
        m_pieces = {pieces.bytes * pieces.count, pieces.bytes * pieces.count, 1};
    begin(after);
}

void HostCopies::begin(const Event& after)
{
    m_bytes = m_pieces.bytes * m_pieces.count;
    m_after = after.get();
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

void HostCopies::wait(cudaStream_t stream)
{
    std::unique_lock lock(m_mutex);
    m_idle.wait(lock, [this] { return m_working == 0; });
    if (const std::exception_ptr error = std::exchange(m_error, nullptr))
        std::rethrow_exception(error);
    if (m_direction == Direction::toDevice)
        for (const auto& worker : m_workers)
            for (const Event& done : worker->done)
                SINOSCOPE_CUDA(cudaStreamWaitEvent(stream, done.get()));
}

void HostCopies::abandon() noexcept
{
    m_next = m_bytes;
    std::unique_lock lock(m_mutex);
    m_idle.wait(lock, [this] { return m_working == 0; });
    m_error = nullptr;
}

void HostCopies::work(Worker& worker, const std::stop_token& stop)
{
    while (true) {
        worker.wanted.acquire();
        if (stop.stop_requested())
            return;
        std::exception_ptr error;
        try {
            copyBlocks(worker);
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

void HostCopies::copyBlocks(Worker& worker)
{
    SINOSCOPE_CUDA(cudaSetDevice(m_device));
    if (worker.pinned.size() < 2 * m_block) { // takes 4 ms for two of the largest blocks; other threads go on copying
        worker.stream.synchronize();          // its last copies must have finished
        worker.pinned.reserve(2 * m_block);
    }
    SINOSCOPE_CUDA(cudaStreamWaitEvent(worker.stream.get(), m_after));
    if (m_direction == Direction::toDevice)
        upload(worker);
    else
        download(worker);
}

HostCopies::Block HostCopies::next()
{
    const std::size_t first = m_next.fetch_add(m_block);
    return first < m_bytes ? Block{first, std::min(m_block, m_bytes - first)} : Block{};
}

// Copies `bytes` bytes of the pieces to `to`. `first` is an offset into the pieces laid end to end.
void HostCopies::gather(char* to, std::size_t first, std::size_t bytes) const
{
    while (bytes > 0) {
        const std::size_t piece = first / m_pieces.bytes, begin = first % m_pieces.bytes;
        const std::size_t now = std::min(bytes, m_pieces.bytes - begin);
        std::memcpy(to, m_from + piece * m_pieces.stride + begin, now);
        to += now, first += now, bytes -= now;
    }
}

void HostCopies::upload(Worker& worker)
{
    for (int turn = 0;; turn ^= 1) {
        const Block block = next();
        if (block.bytes == 0)
            return;
        char* pinned = worker.pinned.data() + turn * m_block;
        worker.done[turn].synchronize(); // waits for the previous use of this block
        gather(pinned, block.first, block.bytes);
        SINOSCOPE_CUDA(
            cudaMemcpyAsync(m_to + block.first, pinned, block.bytes, cudaMemcpyHostToDevice, worker.stream.get()));
        worker.done[turn].record(worker.stream.get());
    }
}

void HostCopies::download(Worker& worker)
{
    Block underWay[2];
    for (int turn = 0;; turn ^= 1) {
        char* pinned = worker.pinned.data() + turn * m_block;
        if (Block& arriving = underWay[turn]; arriving.bytes > 0) {
            worker.done[turn].synchronize();
            copyAround(reinterpret_cast<float*>(m_to + arriving.first), reinterpret_cast<const float*>(pinned),
                       arriving.bytes / sizeof(float));
        }
        underWay[turn] = next();
        if (const Block& block = underWay[turn]; block.bytes > 0) {
            SINOSCOPE_CUDA(cudaMemcpyAsync(pinned, m_from + block.first, block.bytes, cudaMemcpyDeviceToHost,
                                           worker.stream.get()));
            worker.done[turn].record(worker.stream.get());
        } else if (underWay[turn ^ 1].bytes == 0) {
            return;
        }
    }
}

} // namespace engine
