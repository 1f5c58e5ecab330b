// SPDX-License-Identifier: GPL-3.0-or-later
// Cosine and redundancy weights on the device (engine/scan/ray_weights.h).
#include "engine/backends/cuda/device/check.h"
#include "engine/backends/cuda/filter/ray_weigher.h"

namespace engine::cuda
{

namespace
{

__global__ void weigh(float* lines, const ConeRay* __restrict__ central, int centralStride,
                      const float* __restrict__ redundancy, int firstRow, int projections, int bins)
{
    const int bin = blockIdx.x * 256 + threadIdx.x, p = blockIdx.y, row = blockIdx.z;
    if (bin >= bins)
        return;
    float weight = redundancy ? redundancy[static_cast<std::size_t>(p) * bins + bin] : 1.0f;
    if (central) {
        const ConeRay ray = central[p * centralStride];
        const float u = (bin - ray.bin) * ray.perBin, v = (firstRow + row - ray.row) * ray.perRow;
        weight *= rsqrtf(fmaf(u, u, fmaf(v, v, 1.0f)));
    }
    lines[(static_cast<std::size_t>(row) * projections + p) * bins + bin] *= weight;
}

} // namespace

void weighLines(float* lines, const ConeRay* central, bool oneEach, const float* redundancy, int firstRow, int rows,
                int projections, int bins, cudaStream_t stream)
{
    if (!central && !redundancy)
        return;
    weigh<<<dim3((bins + 255) / 256, projections, rows), 256, 0, stream>>>(lines, central, oneEach ? 1 : 0, redundancy,
                                                                           firstRow, projections, bins);
    SINOSCOPE_CUDA_LAUNCHED();
}

} // namespace engine::cuda
