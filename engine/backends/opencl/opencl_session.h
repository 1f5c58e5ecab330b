// SPDX-License-Identifier: GPL-3.0-or-later
// One OpenCL device in use. The header uses no OpenCL types.
#pragma once

#include "engine/backends/backend.h"
#include "engine/backends/opencl/cone/cone_pipeline.h"
#include "engine/backends/opencl/parallel/pipeline.h"

#include <memory>

namespace engine::opencl
{

class OpenClSession : public DeviceSession
{
  public:
    explicit OpenClSession(int device);
    ~OpenClSession() override;

    LaunchReport run(const Method& method, const LaunchArguments& arguments) override;

  private:
    const std::unique_ptr<DeviceInUse> m_device; // first, because the others use it
    std::unique_ptr<ParallelPipeline> m_slices;  // each once it is needed
    std::unique_ptr<ConePipeline> m_cone;
};

} // namespace engine::opencl
