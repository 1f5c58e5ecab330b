// Copies between ordinary host memory and a GPU, in the background.
#pragma once

#include "engine/cuda/buffer.h"
#include "engine/cuda/stream.h"

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <semaphore>
#include <stop_token>
#include <thread>
#include <vector>

namespace engine
{

// Ordinary (pageable) memory reaches a GPU through pinned memory, and one thread that copies is a quarter as fast as
// the bus. Here several threads each take the next piece, copy it through two pinned pieces of their own and send it
// on a stream of their own, so that all that is pinned is a few megabytes, which stay in the processor's caches.
// Figures: tests/bench/results/h200-copies.md.
//
// One direction, one copy under way at a time: start(), then wait(), from one thread. Both throw Error(device,
// noMemory). The destructor stops a copy under way and waits for it.
class HostCopies
{
  public:
    enum class Direction { toDevice, toHost };

    // Threads that suit this machine: half of its cores, 8 at most.
    static int usualThreads();

    // On the current device. Throws Error(device, noMemory).
    explicit HostCopies(Direction direction, int threads = usualThreads());
    ~HostCopies();
    HostCopies(const HostCopies&) = delete;
    HostCopies& operator=(const HostCopies&) = delete;

    // Copies `count` values when `after` has happened on the device. Both ranges must live until wait() comes back.
    void start(float* to, const float* from, std::size_t count, const Event& after);

    // To the device: all has been sent, and `stream` goes on when it has arrived (the host memory is free at once).
    // To the host: it lies there.
    void wait(cudaStream_t stream = nullptr);

    // Leaves out what isn't under way, and waits for the rest.
    void abandon() noexcept;

  private:
    struct Piece {
        std::size_t first = 0, count = 0;
    };
    struct Worker {
        PinnedBuffer<float> pinned; // two pieces
        Stream stream;
        Event done[2];
        std::binary_semaphore wanted{0};
        std::jthread thread;

        ~Worker();
    };

    void work(Worker& worker, const std::stop_token& stop);
    void copyPieces(Worker& worker);
    void upload(Worker& worker);
    void download(Worker& worker);
    Piece next();

    const Direction m_direction;
    int m_device = 0;
    float* m_to = nullptr;
    const float* m_from = nullptr;
    std::size_t m_count = 0, m_piece = 1;
    cudaEvent_t m_after = nullptr;
    std::atomic<std::size_t> m_next = 0;

    std::mutex m_mutex;
    std::condition_variable m_idle;
    int m_working = 0;
    std::exception_ptr m_error;
    std::vector<std::unique_ptr<Worker>> m_workers; // last: their threads use the rest
};

} // namespace engine
