// SPDX-License-Identifier: GPL-3.0-or-later
// Background copies between ordinary host memory and an OpenCL device.
#pragma once

#include "engine/backends/opencl/device/opened_device.h"
#include "engine/base/block_copies.h"

#include <memory>
#include <vector>

namespace engine::opencl
{

// BlockCopies to or from a device, which must outlive the object. An object copies in one direction, one copy at a
// time: start(), then wait(), from one thread. Everything throws Error(device, noMemory). The destructor stops a copy
// that is under way and waits for it.
class HostCopies
{
  public:
    using Direction = BlockCopies::Direction;
    using Pieces = BlockCopies::Pieces;

    HostCopies(const OpenedDevice& device, Direction direction, int threads = BlockCopies::usualThreads());
    ~HostCopies();
    HostCopies(const HostCopies&) = delete;
    HostCopies& operator=(const HostCopies&) = delete;

    // Uploads pieces to the beginning of a buffer once `after` has happened; no event: at once. The host memory must
    // stay valid until wait() returns.
    void upload(const Buffer& to, const float* from, const Pieces& pieces, const Event& after);

    // Downloads a part of a buffer once `after` has happened.
    void download(float* to, const Buffer& from, std::size_t first, std::size_t bytes, const Event& after);

    // Waits until all data have been sent and the host memory is free again, or until they have arrived on the host.
    void wait();

    // Returns the events of the last upload: commands that wait for them find all data on the device.
    std::vector<cl_event> arrivals() const;

    // Skips the blocks that are not yet under way and waits for the others.
    void abandon() noexcept;

  private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace engine::opencl
