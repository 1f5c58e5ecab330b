// SPDX-License-Identifier: GPL-3.0-or-later
// Method `hybrid`: some blocks of each multiprocessor use the texture path and the others the arithmetic path, so
// that both units work simultaneously (Chilingaryan et al. 2020, section 7.1).
#include "engine/backends/cuda/device/launched_kernel.h"
#include "engine/backends/cuda/parallel/alu_tile.cuh"
#include "engine/backends/cuda/parallel/kernels.h"
#include "engine/backends/cuda/parallel/output.cuh"
#include "engine/backends/cuda/parallel/texture_tile.cuh"
#include "engine/backends/cuda/parallel/tuning.h"
#include "engine/backends/parallel/hybrid_share.h"
#include "engine/filter/dispatch.h"

#include <algorithm>

namespace engine::cuda
{

namespace
{

constexpr int hybridTile = 64;
constexpr int pixels = 4; // per thread on the texture path

// Returns whether this block uses the texture path. Blocks start on a multiprocessor one after another; a counter per
// multiprocessor assigns textureEighths of every eight blocks to the texture path.
__device__ inline bool takesTexture(unsigned* counters, int textureEighths)
{
    __shared__ bool answer;
    if (threadIdx.x == 0) {
        unsigned multiprocessor;
        asm("mov.u32 %0, %%smid;" : "=r"(multiprocessor));
        const unsigned turn = atomicAdd(&counters[multiprocessor], 1u) % 8;
        answer = (turn + 1) * textureEighths / 8 > turn * textureEighths / 8;
    }
    __syncthreads();
    return answer;
}

template <class Shape>
__global__ void __launch_bounds__(Shape::threads, Shape::blocks)
    hybridKernel(const __grid_constant__ KernelArguments arguments)
{
    extern __shared__ __align__(16) char shared[];
    constexpr int slices = Shape::slices;
    const int row0 = blockIdx.y * Shape::rows, column0 = blockIdx.x * Shape::columns;
    const auto [first, last] = projectionsOf(arguments, blockIdx.z);
    if (takesTexture(arguments.counters, arguments.textureEighths)) {
        auto* sums = reinterpret_cast<Sum<slices>*>(shared);
        const auto ray = [&](int p) { return arguments.rays[p].single; };
        for (int row = row0; row < row0 + Shape::rows; row += textureRows<pixels>)
            for (int column = column0; column < column0 + Shape::columns; column += textureTile) {
                constexpr int samples = Shape::mode == AluMode::oversampled ? Shape::oversampling : 0;
                textureTileSum<slices, pixels, samples>(arguments.texture, ray, first, last, column, row, sums);
                store<slices>(arguments, blockIdx.z, row + threadIdx.x / 16, column + threadIdx.x % 16,
                              sums[threadIdx.x]);
                __syncthreads(); // the sums are overwritten by the next tile
            }
        return;
    }
    using Tile = AluTile<Shape>;
    Sum<slices> sums[Shape::pixels] = {};
    Tile(shared, arguments, row0, column0).sum(first, last, sums);
#pragma unroll
    for (int q = 0; q < Shape::pixels; ++q)
        store<slices>(arguments, blockIdx.z, row0 + Tile::row() + q * Shape::rowStep, column0 + Tile::column(),
                      sums[q]);
}

template <class Shape>
void launchShape(KernelArguments arguments)
{
    if (arguments.textureEighths < 0)
        arguments.textureEighths =
            tunedEighths(arguments.interpolation, arguments.sinograms.precision, arguments.sinograms.slices);
    const std::size_t bytes =
        std::max(Shape::sharedBytes(1), 4 * 16 * textureRows<pixels> * sizeof(Sum<Shape::slices>));
    auto* kernel = hybridKernel<Shape>;
    SINOSCOPE_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)));
    SINOSCOPE_CUDA(
        cudaMemsetAsync(arguments.counters, 0, arguments.multiprocessors * sizeof(unsigned), arguments.stream));
    const dim3 grid((arguments.width + Shape::columns - 1) / Shape::columns,
                    (arguments.height + Shape::rows - 1) / Shape::rows, arguments.splits);
    noteLaunch(kernel, Shape::threads, bytes);
    kernel<<<grid, Shape::threads, bytes, arguments.stream>>>(arguments);
    SINOSCOPE_CUDA_LAUNCHED();
    sumSplits(arguments);
}

// Tiles of 64 × 64 pixels, as in the paper and as `square-tile` of `alu`. With one and two slices, smaller stages make
// room for blocks of both kinds (tests/bench/results/h200-hybrid.json).
template <AluMode mode, int slices, bool half>
void launchMode(const KernelArguments& arguments)
{
    constexpr AluTuning tuning = [] {
        AluTuning square = tunedAlu(90, mode, half ? Precision::half : Precision::single, slices);
        square.rows = hybridTile;
        if (slices < 4) {
            square.stage /= 2;
            square.blocks = 4;
        }
        return square;
    }();
    static_assert(tuning.columns == hybridTile);
    launchShape<AluShape<tuning, mode, slices, half, mode == AluMode::oversampled ? 4 : 0>>(arguments);
}

template <int slices, bool half>
void launch(const KernelArguments& arguments)
{
    arguments.interpolation == Interpolation::nearest       ? launchMode<AluMode::nearest, slices, half>(arguments)
    : arguments.interpolation == Interpolation::oversampled ? launchMode<AluMode::oversampled, slices, half>(arguments)
                                                            : launchMode<AluMode::linear, slices, half>(arguments);
}

} // namespace

int blocksHybrid(const KernelArguments& arguments)
{
    return ((arguments.width + hybridTile - 1) / hybridTile) * ((arguments.height + hybridTile - 1) / hybridTile);
}

void launchHybrid(const KernelArguments& arguments)
{
    if (arguments.coarse)
        return arguments.interpolation == Interpolation::oversampled ? launchAlu(arguments) : launchTexture(arguments);
    forSlicesAndPrecision(arguments.sinograms.slices, arguments.sinograms.precision,
                          [&]<int slices, bool half>() { launch<slices, half>(arguments); });
}

const Kernels hybridKernels = {
    .launch = launchHybrid,
    .blocks = blocksHybrid,
    .setVariant = [](KernelArguments& arguments,
                     const std::string& variant) { arguments.textureEighths = eighthsFromText(variant); },
};

} // namespace engine::cuda
