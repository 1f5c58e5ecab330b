// SPDX-License-Identifier: GPL-3.0-or-later
// Weights of rays on an NVIDIA GPU, applied before the filter.
#pragma once

#include "engine/backends/cuda/device/buffer.h"
#include "engine/scan/ray_weights.h"

namespace engine::cuda
{

// CentralRay in single precision.
struct ConeRay {
    float bin, row, perBin, perRow;
};

// Multiplies lines [row][projection][bin] by cosine and by redundancy [projection][bin]; either may be null. central:
// one ray for all projections, or one per projection (oneEach). Throws Error(device).
void weighLines(float* lines, const ConeRay* central, bool oneEach, const float* redundancy, int firstRow, int rows,
                int projections, int bins, cudaStream_t stream);

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
