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

// Background copies between ordinary (pageable) memory and a GPU, by several threads. Pageable memory reaches a GPU
// only through pinned memory, and a single copying thread reaches a quarter of the speed of the bus. Here each thread
// takes the next block, copies it through one of its two pinned blocks and sends it on its own stream. Only a few
// megabytes are pinned, and they stay in the processor's caches. Figures: tests/bench/results/h200-copies.md.
//
// An object copies in one direction, one copy at a time: start(), then wait(), from one thread. Both throw
// Error(device, noMemory). The destructor stops a copy that is under way and waits for it.
class HostCopies
{
  public:
    enum class Direction { toDevice, toHost };

    // Returns the number of threads that suits this machine: half of its cores, 8 at most.
    static int usualThreads();

    // Uses the current device. Throws Error(device, noMemory).
    explicit HostCopies(Direction direction, int threads = usualThreads());
    ~HostCopies();
    HostCopies(const HostCopies&) = delete;
    HostCopies& operator=(const HostCopies&) = delete;

    // Copies `count` values once `after` has happened on the device. Both ranges must stay valid until wait()
    // returns.
    void start(float* to, const float* from, std::size_t count, const Event& after);

    // Source of an upload: `count` pieces of `bytes` bytes. They lie `stride` bytes apart on the host and end to end
    // on the device.
    struct Pieces {
        std::size_t bytes = 0, stride = 0, count = 0;
    };
    void start(char* to, const char* from, const Pieces& pieces, const Event& after);

    // Waits for the copy. To the device: returns when all data have been sent, and the host memory is free again;
    // `stream` goes on when the data have arrived. To the host: returns when the data have arrived.
    void wait(cudaStream_t stream = nullptr);

    // Skips the blocks that are not yet under way and waits for the others.
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
    std::vector<std::unique_ptr<Worker>> m_workers; // last, because their threads use the other members
};

} // namespace engine
