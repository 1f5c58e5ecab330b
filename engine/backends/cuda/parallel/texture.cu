// SPDX-License-Identifier: GPL-3.0-or-later
// Method `texture`: the cache-aware texture kernel (Chilingaryan et al. 2020, Algorithms 2 and 3, constants in constant
// memory, all pixels reduced at once). Its steps are in texture_steps.cu.
#include "engine/backends/cuda/device/launched_kernel.h"
#include "engine/backends/cuda/parallel/kernels.h"
#include "engine/backends/cuda/parallel/ray_block.cuh"
#include "engine/backends/cuda/parallel/texture_steps.h"
#include "engine/backends/cuda/parallel/texture_tile.cuh"
#include "engine/filter/dispatch.h"

namespace engine::cuda
{

namespace
{

// Pixels per thread (tests/bench/results/texture-paths.md).
constexpr int pixels = 4;
constexpr int tileRows = textureRows<pixels>;

template <int slices>
__global__ void __launch_bounds__(256)
    textureKernel(const __grid_constant__ KernelArguments arguments, const __grid_constant__ RayBlock block)
{
    __shared__ Sum<slices> shared[4 * 16 * tileRows];
    const int column0 = blockIdx.x * textureTile, row0 = blockIdx.y * tileRows;
    const auto [first, last] = projectionsOf(block, blockIdx.z, arguments.splits);
    const auto ray = [&](int p) { return block.ray(p); };
    textureTileSum<slices, pixels>(arguments.texture, ray, first, last, column0, row0, shared);
    store<slices>(arguments, blockIdx.z, row0 + threadIdx.x / 16, column0 + threadIdx.x % 16, shared[threadIdx.x],
                  block.adds());
}

template <int slices>
void launch(const KernelArguments& arguments)
{
    const dim3 grid((arguments.width + textureTile - 1) / textureTile, (arguments.height + tileRows - 1) / tileRows,
                    arguments.splits);
    noteLaunch(textureKernel<slices>, 256);
    launchByRayBlocks(arguments, [&](const RayBlock& block) {
        textureKernel<slices><<<grid, 256, 0, arguments.stream>>>(arguments, block);
    });
}

} // namespace

int blocksTexture(const KernelArguments& arguments)
{
    return ((arguments.width + textureTile - 1) / textureTile) * ((arguments.height + tileRows - 1) / tileRows);
}

void launchTexture(const KernelArguments& arguments)
{
    if (arguments.textureStep != TextureStep::all)
        return launchTextureStep(arguments);
    forSlices(arguments.sinograms.slices, [&]<int slices>() { launch<slices>(arguments); });
}

const Kernels textureKernels = {
    .launch = launchTexture,
    .blocks = blocksTexture,
    .setVariant = [](KernelArguments& arguments,
                     const std::string& variant) { arguments.textureStep = textureStepFromText(variant); },
};

} // namespace engine::cuda
