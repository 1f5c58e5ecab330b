// SPDX-License-Identifier: GPL-3.0-or-later
// What slices and cone beams share on an OpenCL device: its queue, copies, filter and loaded kernels.
#pragma once

#include "engine/backends/method.h"
#include "engine/backends/opencl/device/host_copies.h"
#include "engine/backends/opencl/device/opened_device.h"
#include "engine/backends/opencl/filter/opencl_filter.h"

#include <functional>
#include <set>
#include <string>

namespace engine::opencl
{

// For one thread at a time. Everything throws Error(device, noMemory).
class DeviceInUse
{
  public:
    explicit DeviceInUse(int index);

    OpenedDevice device;
    Queue compute;
    HostCopies uploads, downloads;
    OpenClFilter filter{device};
    Buffer largest; // of the values of a block: bits of the largest finite magnitude, for the scale of halves

    // Waits for the upload of a block of rows, [slice][projection][bin], filters it in place if there are weights, and
    // sets `largest` for halves. source, options: of a program with the kernel findLargest. Returns the filter's
    // events.
    OpenClFilter::Span filterRows(const Buffer& rows, int slices, int projections, int bins, const RayWeights* weights,
                                  bool half, const std::string& source, const std::string& options);

    // Calls `launch`, which launches the kernel without projections, unless the kernel has run before: some drivers
    // load or compile a kernel at its first launch, and this keeps that out of the measured time.
    void load(cl_kernel kernel, const std::function<Event()>& launch);

    // Waits for all work. Afterwards nothing uses a launch's memory.
    void abandon() noexcept;

  private:
    std::set<cl_kernel> m_loaded;
};

} // namespace engine::opencl
