// SPDX-License-Identifier: GPL-3.0-or-later
// One NVIDIA GPU in use. The header uses no CUDA types.
#pragma once

#include "engine/backends/backend.h"
#include "engine/backends/cuda/cone/cone_pipeline.h"
#include "engine/backends/cuda/parallel/pipeline.h"
#include "engine/backends/cuda/plane/plane_pipeline.h"

#include <memory>

namespace engine::cuda
{

class CudaSession : public DeviceSession
{
  public:
    explicit CudaSession(int device) : m_device(device) {}

    LaunchReport run(const Method& method, const LaunchArguments& arguments) override;
    bool holds(const FilteredKey& key, Precision precision) const override
    {
        return m_planes && m_planes->holds(key, precision);
    }
    void dropOthers(const Scan* scan) override
    {
        if (m_slices)
            m_slices->dropOthers(scan);
        if (m_planes)
            m_planes->dropOthers(scan);
    }

    PlanePipeline& planes();

  private:
    LaunchReport runHere(const Method& method, const LaunchArguments& arguments);
    // Frees the memory of all but one of the members below. Returns whether there was any.
    bool freeAllBut(const void* pipeline);

    const int m_device;
    std::unique_ptr<Pipeline> m_slices; // each once it is needed
    std::unique_ptr<ConePipeline> m_cone;
    std::unique_ptr<PlanePipeline> m_planes;
};

} // namespace engine::cuda
