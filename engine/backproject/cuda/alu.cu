// `alu`: bins cached in shared memory, interpolation in the arithmetic units (000, Algorithms 6 to 9, 7.2).
#include "engine/backproject/cuda/alu_tile.cuh"
#include "engine/backproject/cuda/dispatch.h"
#include "engine/backproject/cuda/kernels.h"
#include "engine/backproject/cuda/output.cuh"

namespace engine::cuda
{

namespace
{

template <class Shape, AluMode mode, int slices, bool half>
__global__ void __launch_bounds__(Shape::threads, Shape::tile == 64 ? 2 : 4)
    aluKernel(const __grid_constant__ KernelArguments arguments)
{
    extern __shared__ __align__(16) char shared[];
    const int row0 = blockIdx.y * Shape::tile, column0 = blockIdx.x * Shape::tile;
    const auto [first, last] = projectionsOf(arguments, blockIdx.z);
    using Tile = AluTile<Shape, mode, slices, half>;
    Sum<slices> sums[Shape::pixels] = {};
    Tile(shared, arguments, row0, column0).sum(first, last, sums);
#pragma unroll
    for (int q = 0; q < Shape::pixels; ++q)
        store<slices>(arguments, blockIdx.z, row0 + Tile::row() + q * Shape::rowStep, column0 + Tile::column(),
                      sums[q]);
}

// Coarse previews: pixels too far apart for the tiles. One thread a pixel, bins from global memory.
template <AluMode mode, int slices, bool half>
__global__ void __launch_bounds__(256) coarseKernel(const __grid_constant__ KernelArguments arguments)
{
    const int column = blockIdx.x * 16 + threadIdx.x % 16, row = blockIdx.y * 16 + threadIdx.x / 16;
    Sum<slices> sum = {};
    for (int p = 0; p < arguments.sinograms.projections; ++p) {
        const Ray& ray = arguments.rays[p];
        double h = ray.start + column * ray.perColumn + row * ray.perRow;
        if (mode == AluMode::oversampled)
            h = floor(h * arguments.oversampling + 0.5) / arguments.oversampling;
        const int bin = static_cast<int>(floor(mode == AluMode::nearest ? h + 0.5 : h));
        const float f = static_cast<float>(h - bin);
        const Sum<slices> here = binAt<slices, half>(arguments.sinograms, p, bin);
        if constexpr (mode == AluMode::nearest) {
            addScaled(sum, here, 1);
        } else if constexpr (mode == AluMode::cubic) {
            const float4 weights = catmullRomWeights(f);
            addScaled(sum, binAt<slices, half>(arguments.sinograms, p, bin - 1), weights.x);
            addScaled(sum, here, weights.y);
            addScaled(sum, binAt<slices, half>(arguments.sinograms, p, bin + 1), weights.z);
            addScaled(sum, binAt<slices, half>(arguments.sinograms, p, bin + 2), weights.w);
        } else {
            addScaled(sum, here, 1 - f);
            addScaled(sum, binAt<slices, half>(arguments.sinograms, p, bin + 1), f);
        }
    }
    store<slices>(arguments, 0, row, column, sum);
}

template <AluMode mode, int slices, bool half>
void launchCoarse(KernelArguments arguments)
{
    arguments.splits = 1;
    const dim3 grid((arguments.width + 15) / 16, (arguments.height + 15) / 16);
    coarseKernel<mode, slices, half><<<grid, 256, 0, arguments.stream>>>(arguments);
    SINOSCOPE_CUDA_LAUNCHED();
}

template <class Shape, AluMode mode, int slices, bool half>
void launchShape(const KernelArguments& arguments)
{
    if (arguments.coarse)
        return launchCoarse<mode, slices, half>(arguments);
    const std::size_t bytes = Shape::sharedBytes(arguments.oversampling);
    auto* kernel = aluKernel<Shape, mode, slices, half>;
    SINOSCOPE_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)));
    const dim3 grid((arguments.width + Shape::tile - 1) / Shape::tile,
                    (arguments.height + Shape::tile - 1) / Shape::tile, arguments.splits);
    kernel<<<grid, Shape::threads, bytes, arguments.stream>>>(arguments);
    SINOSCOPE_CUDA_LAUNCHED();
    sumSplits(arguments);
}

template <int slices, bool half>
void launch(const KernelArguments& arguments)
{
    constexpr AluMode nearest = AluMode::nearest, linear = AluMode::linear, oversampled = AluMode::oversampled,
                      cubic = AluMode::cubic;
    // Tile 64 and as many projections a stage as leave two blocks on a multiprocessor. H200, 2048² from
    // 2048 projections, GU/s (2026-11-21), tile 64 against 32: linear 1 slice 3070/2140, 2 slices 3448/2970;
    // nearest 1 slice 4179/–, 2 slices 6201/4708, 4 slices half 7890/6646; oversampled 2 slices 4635/3353.
    switch (arguments.interpolation) {
    case Interpolation::nearest: {
        constexpr int stage = slices == 4 && !half ? 8 : 16;
        return launchShape<AluShape<nearest, slices, half, 64, stage>, nearest, slices, half>(arguments);
    }
    case Interpolation::linear: {
        constexpr int stage = 16 / slices;
        return launchShape<AluShape<linear, slices, half, 64, stage>, linear, slices, half>(arguments);
    }
    case Interpolation::oversampled: {
        // A factor of 64 must still fit into shared memory.
        constexpr int stage = slices == 4 ? 8 : 16;
        return arguments.oversampling == 4
                   ? launchShape<AluShape<oversampled, slices, half, 64, stage, 4>, oversampled, slices, half>(
                         arguments)
                   : launchShape<AluShape<oversampled, slices, half, 32, 1>, oversampled, slices, half>(arguments);
    }
    case Interpolation::cubic:
        return launchShape<AluShape<cubic, slices, half, slices == 4 ? 32 : 64, 4>, cubic, slices, half>(arguments);
    }
}

} // namespace

int blocksAlu(const KernelArguments& arguments)
{
    return ((arguments.width + 63) / 64) * ((arguments.height + 63) / 64);
}

void launchAlu(const KernelArguments& arguments)
{
    forSlicesAndPrecision(arguments.sinograms.slices, arguments.sinograms.precision,
                          [&]<int slices, bool half>() { launch<slices, half>(arguments); });
}

const Kernels aluKernels = {launchAlu, blocksAlu};

} // namespace engine::cuda
