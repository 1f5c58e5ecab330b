// SPDX-License-Identifier: GPL-3.0-or-later
// Back-projection on one OpenCL device. The header uses no OpenCL types.
#pragma once

#include "engine/backends/method.h"
#include "engine/backends/opencl/device/device_times.h"
#include "engine/backends/opencl/parallel/kernel_options.h"

#include <memory>

namespace engine::opencl
{

class DeviceInUse;

// Pipeline with separate queues for uploads, kernels and downloads: while one pass of slices is back-projected, the
// next one is uploaded and the previous one downloaded (Chilingaryan et al. 2018, section II). For one thread at a
// time. Everything throws Error(device, noMemory, badRequest, cancelled).
class ParallelPipeline
{
  public:
    explicit ParallelPipeline(DeviceInUse& device); // which must outlive it
    ~ParallelPipeline();
    ParallelPipeline(const ParallelPipeline&) = delete;
    ParallelPipeline& operator=(const ParallelPipeline&) = delete;

    // arguments.sinograms: filtered, as floats.
    DeviceTimes run(ParallelMethod method, const LaunchArguments& arguments);

  private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace engine::opencl
