// SPDX-License-Identifier: GPL-3.0-or-later
// Filtering and back-projection of cone beams on one NVIDIA GPU. The header uses no CUDA types.
#pragma once

#include "engine/backends/method.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace engine::cuda
{

enum class ConeKernel { standard, shuffle, texture, columns };

// Pipeline for cone beams. A batch of projections is uploaded, or filtered by the processor, while the previous batch
// is back-projected (Chen et al. 2019, section 4.1.3); then the device prepares and filters it, and stores it in the
// layout of the kernel. Batches stay on the device for the other slabs of the volume; the images of a slab are
// downloaded while the next slab is back-projected, if the kernel's volume is in the order of the image. A volume that
// doesn't fit the device's memory is reconstructed in parts, one after the other. For one thread at a time. Everything
// throws Error(device, noMemory, badRequest, cancelled).
class ConePipeline
{
  public:
    // freeOthers: frees memory that other launches left on the device, and returns whether there was any. Called if
    // there is too little for the whole volume at once.
    ConePipeline(int deviceIndex, std::function<bool()> freeOthers);
    ~ConePipeline();
    ConePipeline(const ConePipeline&) = delete;
    ConePipeline& operator=(const ConePipeline&) = delete;

    // arguments.sinograms: filtered ones as floats; prepared ones, or recorded rows, if the arguments have a filter.
    LaunchReport run(ConeKernel kernel, const LaunchArguments& arguments);

  private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace engine::cuda
