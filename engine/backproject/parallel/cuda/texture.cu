// SPDX-License-Identifier: GPL-3.0-or-later
// Method `texture`: the cache-aware texture kernel (Chilingaryan et al. 2020, Algorithms 2 to 5).
#include "engine/backproject/parallel/cuda/kernels.h"
#include "engine/backproject/parallel/cuda/output.cuh"
#include "engine/backproject/parallel/cuda/texture_tile.cuh"

namespace engine::cuda
{

namespace
{

// Pixels per thread (tests/bench/results/texture-paths.md).
constexpr int pixels = 4;
constexpr int tileRows = textureRows<pixels>;

// Rays are passed as a kernel parameter, which is read through the constant cache. This leaves all of the L1, which
// is the texture cache too, to the fetches (texture-paths.md). Parameters hold 32 KB since CUDA 12.1; more
// projections take several launches, each of which adds to the previous one.
constexpr int raysAtOnce = 1920;
struct RayBlock {
    float4 rays[raysAtOnce];
};

template <int slices>
__global__ void __launch_bounds__(256) textureKernel(const __grid_constant__ KernelArguments arguments,
                                                     const __grid_constant__ RayBlock block, int first, int count)
{
    __shared__ Sum<slices> shared[4 * 16 * tileRows];
    const int column0 = blockIdx.x * textureTile, row0 = blockIdx.y * tileRows;
    const int begin = static_cast<int>(static_cast<long long>(count) * blockIdx.z / arguments.splits);
    const int end = static_cast<int>(static_cast<long long>(count) * (blockIdx.z + 1) / arguments.splits);
    const auto ray = [&](int p) { return block.rays[p - first]; };
    textureTileSum<slices, pixels>(arguments.texture, ray, first + begin, first + end, column0, row0, shared);
    store<slices>(arguments, blockIdx.z, row0 + threadIdx.x / 16, column0 + threadIdx.x % 16, shared[threadIdx.x],
                  first > 0);
}

template <int slices>
void launch(const KernelArguments& arguments)
{
    const int projections = arguments.sinograms.projections;
    const int launches = (projections + raysAtOnce - 1) / raysAtOnce;
    const dim3 grid((arguments.width + textureTile - 1) / textureTile, (arguments.height + tileRows - 1) / tileRows,
                    arguments.splits);
    RayBlock block;
    for (int k = 0; k < launches; ++k) {
        const int first = projections * static_cast<long long>(k) / launches;
        const int count = static_cast<int>(projections * static_cast<long long>(k + 1) / launches) - first;
        for (int p = 0; p < count; ++p)
            block.rays[p] = arguments.hostRays[first + p].single;
        textureKernel<slices><<<grid, 256, 0, arguments.stream>>>(arguments, block, first, count);
        SINOSCOPE_CUDA_LAUNCHED();
    }
    sumSplits(arguments);
}

} // namespace

int blocksTexture(const KernelArguments& arguments)
{
    return ((arguments.width + textureTile - 1) / textureTile) * ((arguments.height + tileRows - 1) / tileRows);
}

void launchTexture(const KernelArguments& arguments)
{
    arguments.sinograms.slices == 4   ? launch<4>(arguments)
    : arguments.sinograms.slices == 2 ? launch<2>(arguments)
                                      : launch<1>(arguments);
}

const Kernels textureKernels = {launchTexture, blocksTexture};

} // namespace engine::cuda
