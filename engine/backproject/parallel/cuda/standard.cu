// SPDX-License-Identifier: GPL-3.0-or-later
// Method `standard`: one thread per pixel reads all projections in turn through the texture unit (Chilingaryan et al.
// 2020, Algorithm 1).
#include "engine/backproject/parallel/cuda/kernels.h"
#include "engine/backproject/parallel/cuda/ray_block.cuh"

namespace engine::cuda
{

namespace
{

template <int slices>
__global__ void __launch_bounds__(256)
    standardKernel(const __grid_constant__ KernelArguments arguments, const __grid_constant__ RayBlock block)
{
    const int column = blockIdx.x * 16 + threadIdx.x % 16;
    const int row = blockIdx.y * 16 + threadIdx.x / 16;
    const auto [first, last] = projectionsOf(block, blockIdx.z, arguments.splits);
    Sum<slices> sum = {};
#pragma unroll 4
    for (int p = first; p < last; ++p) {
        const float4 ray = block.ray(p);
        const float h = fmaf(static_cast<float>(column), ray.y, fmaf(static_cast<float>(row), ray.z, ray.x));
        add(sum, tex2D<FloatVector<slices>>(arguments.texture, h + 0.5f, p + 0.5f));
    }
    store<slices>(arguments, blockIdx.z, row, column, sum, block.adds());
}

template <int slices>
void launch(const KernelArguments& arguments)
{
    const dim3 grid((arguments.width + 15) / 16, (arguments.height + 15) / 16, arguments.splits);
    launchByRayBlocks(arguments, [&](const RayBlock& block) {
        standardKernel<slices><<<grid, 256, 0, arguments.stream>>>(arguments, block);
    });
}

} // namespace

int blocksStandard(const KernelArguments& arguments)
{
    return ((arguments.width + 15) / 16) * ((arguments.height + 15) / 16);
}

void launchStandard(const KernelArguments& arguments)
{
    arguments.sinograms.slices == 4   ? launch<4>(arguments)
    : arguments.sinograms.slices == 2 ? launch<2>(arguments)
                                      : launch<1>(arguments);
}

const Kernels standardKernels = {launchStandard, blocksStandard};

} // namespace engine::cuda
