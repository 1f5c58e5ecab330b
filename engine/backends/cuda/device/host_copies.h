// SPDX-License-Identifier: GPL-3.0-or-later
// Background copies between ordinary host memory and an NVIDIA GPU.
#pragma once

#include "engine/backends/cuda/device/stream.h"
#include "engine/base/block_copies.h"

#include <memory>

namespace engine
{

// BlockCopies to or from the device that was current when the object was made. An object copies in one direction, one
// copy at a time: start(), then wait(), from one thread. Everything throws Error(device, noMemory). The destructor
// stops a copy that is under way and waits for it.
class HostCopies
{
  public:
    using Direction = BlockCopies::Direction;
    using Pieces = BlockCopies::Pieces;

    explicit HostCopies(Direction direction, int threads = BlockCopies::usualThreads());
    ~HostCopies();
    HostCopies(const HostCopies&) = delete;
    HostCopies& operator=(const HostCopies&) = delete;

    // Copies `count` values once `after` has happened on the device. Both ranges must stay valid until wait()
    // returns.
    void start(float* to, const float* from, std::size_t count, const Event& after);

    // Uploads pieces.
    void start(char* to, const char* from, const Pieces& pieces, const Event& after);

    // Waits for the copy. To the device: returns when all data have been sent, and the host memory is free again;
    // `stream` goes on when the data have arrived. To the host: returns when the data have arrived.
    void wait(cudaStream_t stream = nullptr);

    // Returns the seconds of all copies since the last call, from the moment when the device was ready for each. While
    // no copy is under way.
    double takeSeconds();

    // Skips the blocks that are not yet under way and waits for the others.
    void abandon() noexcept;

  private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace engine
