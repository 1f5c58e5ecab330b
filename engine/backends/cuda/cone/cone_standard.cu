// SPDX-License-Identifier: GPL-3.0-or-later
// Method `standard` for cone beams: Chen et al. (IPSJ report), Listing 1, as in RTK. One thread per voxel computes
// all three products of its position with the projection's matrix; the texture unit interpolates. For any matrices.
#include "engine/backends/cuda/cone/cone_views.cuh"
#include "engine/backends/cuda/device/launched_kernel.h"

namespace engine::cuda
{

namespace
{

__global__ void __launch_bounds__(256) coneStandard(const __grid_constant__ ConeArguments a)
{
    addVoxel(a, [&](int p, float bin, float row) { return tex2DLayered<float>(a.texture, bin + 0.5f, row + 0.5f, p); });
}

} // namespace

void launchConeStandard(const ConeArguments& a)
{
    setConeViews(a);
    noteLaunch(coneStandard, 32 * 8);
    coneStandard<<<voxelBlocks(a), dim3(32, 8), 0, a.stream>>>(a);
    SINOSCOPE_CUDA_LAUNCHED();
}

} // namespace engine::cuda
