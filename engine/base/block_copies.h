// SPDX-License-Identifier: GPL-3.0-or-later
// Copies between ordinary host memory and a device, in the background.
#pragma once

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

// Background copies between ordinary (pageable) memory and a device, by several threads. Pageable memory reaches a GPU
// only through pinned memory, and a single copying thread reaches a quarter of the speed of the bus. Here each thread
// takes the next block, copies it through one of its two pinned blocks and sends it on its own stream or queue. Only a
// few megabytes are pinned, and they stay in the processor's caches. Figures: tests/bench/results/h200-copies.md.
//
// An object copies in one direction, one copy at a time: start(), then wait(), from one thread. Both throw
// Error(device, noMemory). The destructor stops a copy that is under way and waits for it.
class BlockCopies
{
  public:
    enum class Direction { toDevice, toHost };

    // A thread's way to the device, with two pinned blocks that are used in turn: 0, 1. All but the constructor and the
    // destructor is called from the thread.
    class Way
    {
      public:
        virtual ~Way() = default;
        virtual void begin(std::size_t blockBytes) = 0; // of a copy in blocks of so many bytes
        virtual char* block(int turn) = 0;
        virtual void finish(int turn) = 0; // waits for the block's last transfer
        // Start to transfer a block, whose place on the device is so many bytes behind the copy's.
        virtual void send(int turn, std::size_t place, std::size_t bytes) = 0;
        virtual void fetch(int turn, std::size_t place, std::size_t bytes) = 0;
    };

    // Returns the number of threads that suits this machine: half of its cores, 8 at most.
    static int usualThreads();

    // One thread for each way.
    BlockCopies(Direction direction, std::vector<std::unique_ptr<Way>> ways);
    ~BlockCopies();
    BlockCopies(const BlockCopies&) = delete;
    BlockCopies& operator=(const BlockCopies&) = delete;

    // Source of an upload: `count` pieces of `bytes` bytes. They lie `stride` bytes apart on the host and end to end
    // on the device.
    struct Pieces {
        std::size_t bytes = 0, stride = 0, count = 0;
    };
    // The host memory must stay valid until wait() returns.
    void upload(const char* from, const Pieces& pieces);
    void download(char* to, std::size_t bytes);

    // Waits until all blocks have been sent, or fetched and copied to their place.
    void wait();

    // Skips the blocks that are not yet under way and waits for the others.
    void abandon() noexcept;

  private:
    struct Block {
        std::size_t first = 0, bytes = 0;
    };
    struct Worker {
        std::unique_ptr<Way> way;
        std::binary_semaphore wanted{0};
        std::jthread thread;

        ~Worker();
    };

    void work(Worker& worker, const std::stop_token& stop);
    void begin();
    void gather(char* to, std::size_t first, std::size_t bytes) const;
    void sendBlocks(Way& way);
    void fetchBlocks(Way& way);
    Block next();

    const Direction m_direction;
    char* m_to = nullptr;
    const char* m_from = nullptr;
    Pieces m_pieces;
    std::size_t m_bytes = 0, m_block = 1;
    std::atomic<std::size_t> m_next = 0;

    std::mutex m_mutex;
    std::condition_variable m_idle;
    int m_working = 0;
    std::exception_ptr m_error;
    std::vector<std::unique_ptr<Worker>> m_workers; // last, because their threads use the other members
};

} // namespace engine
