// SPDX-License-Identifier: GPL-3.0-or-later
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
// the bus. Here several threads each take the next block, copy it through two pinned blocks of their own and send it
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

    // To the device: pieces of as many bytes, `stride` bytes from one to the next on the host, one behind the other
    // there.
    struct Pieces {
        std::size_t bytes = 0, stride = 0, count = 0;
    };
    void start(char* to, const char* from, const Pieces& pieces, const Event& after);

    // To the device: all has been sent, and `stream` goes on when it has arrived (the host memory is free at once).
    // To the host: it lies there.
    void wait(cudaStream_t stream = nullptr);

    // Leaves out what isn't under way, and waits for the rest.
    void abandon() noexcept;

  private:
    struct Block {
        std::size_t first = 0, bytes = 0;
    };
    struct Worker {
        PinnedBuffer<char> pinned; // two blocks
        Stream stream;
        Event done[2];
        std::binary_semaphore wanted{0};
        std::jthread thread;

        ~Worker();
    };

    void work(Worker& worker, const std::stop_token& stop);
    void begin(const Event& after);
    void copyBlocks(Worker& worker);
    void gather(char* to, std::size_t first, std::size_t bytes) const;
    void upload(Worker& worker);
    void download(Worker& worker);
    Block next();

    const Direction m_direction;
    int m_device = 0;
    char* m_to = nullptr;
    const char* m_from = nullptr;
    Pieces m_pieces;
    std::size_t m_bytes = 0, m_block = 1;
    cudaEvent_t m_after = nullptr;
    std::atomic<std::size_t> m_next = 0;

    std::mutex m_mutex;
    std::condition_variable m_idle;
    int m_working = 0;
    std::exception_ptr m_error;
    std::vector<std::unique_ptr<Worker>> m_workers; // last: their threads use the rest
};

} // namespace engine
