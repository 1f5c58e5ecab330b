// SPDX-License-Identifier: GPL-3.0-or-later
// Filters and back-projects cone beams on one NVIDIA GPU. No CUDA types: compiled without CUDA it throws.
#pragma once

#include "engine/backproject/method.h"

#include <memory>
#include <string>
#include <vector>

namespace engine::cuda
{

enum class ConeKernel { standard, shuffle, texture, columns };

// Batches of projections are uploaded, prepared, filtered and stored as the kernel wants them while the one before is
// back-projected (Chen et al. 2019, section 4.1.3); they stay on the device for the other slabs of the volume, whose
// images are downloaded while the next slab is back-projected. What doesn't fit the device's memory is done in parts of
// the volume, one after the other. One thread at a time. Everything throws Error(device, noMemory, badRequest,
// cancelled).
class ConePipeline
{
  public:
    explicit ConePipeline(int deviceIndex);
    ~ConePipeline();
    ConePipeline(const ConePipeline&) = delete;
    ConePipeline& operator=(const ConePipeline&) = delete;

    int deviceIndex() const;
    // The arguments' sinograms in floats; prepared ones, or recorded rows, where they have a filter.
    LaunchReport run(ConeKernel kernel, const LaunchArguments& arguments);

  private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace engine::cuda
