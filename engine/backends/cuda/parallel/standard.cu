// SPDX-License-Identifier: GPL-3.0-or-later
// Method `standard`: one thread per pixel reads all projections in turn through the texture unit (Chilingaryan et al.
// 2020, Algorithm 1).
#include "engine/backends/cuda/device/launched_kernel.h"
#include "engine/backends/cuda/parallel/kernels.h"
#include "engine/backends/cuda/parallel/ray_block.cuh"
#include "engine/filter/dispatch.h"

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
    sumPixel<slices>(arguments, block, row, column);
}

template <int slices>
void launch(const KernelArguments& arguments)
{
    const dim3 grid((arguments.width + 15) / 16, (arguments.height + 15) / 16, arguments.splits);
    noteLaunch(standardKernel<slices>, 256);
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
    forSlices(arguments.sinograms.slices, [&]<int slices>() { launch<slices>(arguments); });
}

const Kernels standardKernels = {launchStandard, blocksStandard};

} // namespace engine::cuda
