// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/cuda/filter/ray_weigher.h"

#include <vector>

namespace engine::cuda
{

void RayWeigher::run(const RayWeights& weights, float* lines, int rows, int bins, cudaStream_t stream)
{
    std::vector<ConeRay> rays;
    for (const CentralRay& ray : weights.central)
        rays.push_back({static_cast<float>(ray.bin), static_cast<float>(ray.row),
                        static_cast<float>(1 / ray.lengthBins), static_cast<float>(1 / ray.lengthRows)});
    const std::vector<float>& shares = weights.redundancy;
    if (rays.empty() && shares.empty())
        return;
    m_central.reserve(rays.size());
    m_redundancy.reserve(shares.size());
    if (!rays.empty())
        SINOSCOPE_CUDA(cudaMemcpyAsync(m_central.data(), rays.data(), rays.size() * sizeof(ConeRay),
                                       cudaMemcpyHostToDevice, stream));
    if (!shares.empty())
        SINOSCOPE_CUDA(cudaMemcpyAsync(m_redundancy.data(), shares.data(), shares.size() * sizeof(float),
                                       cudaMemcpyHostToDevice, stream));
    weighLines(lines, rays.empty() ? nullptr : m_central.data(), rays.size() > 1,
               shares.empty() ? nullptr : m_redundancy.data(), weights.firstRow, rows,
               static_cast<int>(weights.projections.size()), bins, stream);
    SINOSCOPE_CUDA(cudaStreamSynchronize(stream)); // before the host's copies are destroyed
}

} // namespace engine::cuda
