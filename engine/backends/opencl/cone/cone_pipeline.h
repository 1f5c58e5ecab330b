// SPDX-License-Identifier: GPL-3.0-or-later
// Back-projection of cone beams on one OpenCL device. The header uses no OpenCL types.
#pragma once

#include "engine/backends/method.h"
#include "engine/backends/opencl/device/device_times.h"

#include <memory>

namespace engine::opencl
{

class DeviceInUse;

// Uploads the filtered projections in batches; while one is back-projected, the next is uploaded. A volume that doesn't
// fit the device's memory is reconstructed in slabs. For one thread at a time. Everything throws Error(device,
// noMemory, badRequest, cancelled).
class ConePipeline
{
  public:
    explicit ConePipeline(DeviceInUse& device); // which must outlive it
    ~ConePipeline();
    ConePipeline(const ConePipeline&) = delete;
    ConePipeline& operator=(const ConePipeline&) = delete;

    // arguments.sinograms: filtered, as floats. The image has fewer slices than the grid only if these are mirrored
    // (areMirrored).
    DeviceTimes run(const LaunchArguments& arguments);

  private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace engine::opencl
