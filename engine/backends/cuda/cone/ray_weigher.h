// SPDX-License-Identifier: GPL-3.0-or-later
// Weights of rays on an NVIDIA GPU, applied before the filter.
#pragma once

#include "engine/backends/cuda/cone/cone_kernels.h"
#include "engine/backends/cuda/device/buffer.h"
#include "engine/scan/ray_weights.h"

namespace engine::cuda
{

// Keeps its memory between calls. For one stream at a time.
class RayWeigher
{
  public:
    // Multiplies lines [row][projection][bin] in device memory by the cosine and the redundancy of their rays, if the
    // weights have any. weights: of these projections; the first row is weights.firstRow of the detector. Waits for
    // the stream if there is something to multiply. Throws Error(device, noMemory).
    void run(const RayWeights& weights, float* lines, int rows, int bins, cudaStream_t stream);

  private:
    DeviceBuffer<ConeRay> m_central;
    DeviceBuffer<float> m_redundancy;
};

} // namespace engine::cuda
