#include "engine/cuda/host_copies.h"

#include "engine/cuda/copy_around.h"

#include <algorithm>
#include <cstring>

namespace engine
{

namespace
{

// Two of each thread fit the caches; small ones leave something for every thread.
constexpr std::size_t largestPiece = std::size_t{1} << 20, smallestPiece = std::size_t{1} << 16;

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
            std::jthread([this, &worker = *m_workers.back()](const std::stop_token& stop) { work(worker, stop); });
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
    m_to = to;
    m_from = from;
    m_count = count;
    m_after = after.get();
    m_next = 0;
    m_piece = std::clamp(count / (2 * m_workers.size()) / 4096 * 4096, smallestPiece, largestPiece);
    const std::size_t wanted = std::min((count + m_piece - 1) / m_piece, m_workers.size());
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
    m_next = m_count;
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
            copyPieces(worker);
        } catch (...) {
            error = std::current_exception();
            m_next = m_count; // the others needn't go on
        }
        const std::lock_guard lock(m_mutex);
        if (error && !m_error)
            m_error = error;
        if (--m_working == 0)
            m_idle.notify_all();
    }
}

void HostCopies::copyPieces(Worker& worker)
{
    SINOSCOPE_CUDA(cudaSetDevice(m_device));
    if (worker.pinned.size() < 2 * m_piece) { // 4 ms for two of the largest; the others' copies go on meanwhile
        worker.stream.synchronize();          // what it sent last
        worker.pinned.reserve(2 * m_piece);
    }
    SINOSCOPE_CUDA(cudaStreamWaitEvent(worker.stream.get(), m_after));
    if (m_direction == Direction::toDevice)
        upload(worker);
    else
        download(worker);
}

HostCopies::Piece HostCopies::next()
{
    const std::size_t first = m_next.fetch_add(m_piece);
    return first < m_count ? Piece{first, std::min(m_piece, m_count - first)} : Piece{};
}

void HostCopies::upload(Worker& worker)
{
    for (int turn = 0;; turn ^= 1) {
        const Piece piece = next();
        if (piece.count == 0)
            return;
        float* pinned = worker.pinned.data() + turn * m_piece;
        worker.done[turn].synchronize(); // its last use
        std::memcpy(pinned, m_from + piece.first, piece.count * sizeof(float));
        SINOSCOPE_CUDA(cudaMemcpyAsync(m_to + piece.first, pinned, piece.count * sizeof(float), cudaMemcpyHostToDevice,
                                       worker.stream.get()));
        worker.done[turn].record(worker.stream.get());
    }
}

void HostCopies::download(Worker& worker)
{
    Piece underWay[2];
    for (int turn = 0;; turn ^= 1) {
        float* pinned = worker.pinned.data() + turn * m_piece;
        if (Piece& arriving = underWay[turn]; arriving.count > 0) {
            worker.done[turn].synchronize();
            copyAround(m_to + arriving.first, pinned, arriving.count);
        }
        underWay[turn] = next();
        if (const Piece& piece = underWay[turn]; piece.count > 0) {
            SINOSCOPE_CUDA(cudaMemcpyAsync(pinned, m_from + piece.first, piece.count * sizeof(float),
                                           cudaMemcpyDeviceToHost, worker.stream.get()));
            worker.done[turn].record(worker.stream.get());
        } else if (underWay[turn ^ 1].count == 0) {
            return;
        }
    }
}

} // namespace engine
