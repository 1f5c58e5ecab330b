// SPDX-License-Identifier: GPL-3.0-or-later
// ALU kernel and its launch, for the files that instantiate its tunings.
#pragma once

#include "engine/backends/cuda/device/launched_kernel.h"
#include "engine/backends/cuda/parallel/alu_tile.cuh"
#include "engine/backends/cuda/parallel/output.cuh"
#include "engine/filter/dispatch.h"

#include <iterator>
#include <utility>

namespace engine::cuda
{

template <class Shape>
__global__ void __launch_bounds__(Shape::threads, Shape::blocks)
    aluKernel(const __grid_constant__ KernelArguments arguments)
{
    extern __shared__ __align__(16) char shared[];
    const int row0 = blockIdx.y * Shape::rows, column0 = blockIdx.x * Shape::columns;
    const auto [first, last] = projectionsOf(arguments, blockIdx.z);
    using Tile = AluTile<Shape>;
    Sum<Shape::slices> sums[Shape::pixels] = {};
    Tile(shared, arguments, row0, column0).sum(first, last, sums);
#pragma unroll
    for (int q = 0; q < Shape::pixels; ++q)
        store<Shape::slices>(arguments, blockIdx.z, row0 + Tile::row() + q * Shape::rowStep, column0 + Tile::column(),
                             sums[q]);
}

template <class Shape>
void launchAluShape(const KernelArguments& arguments)
{
    // The system uses 1 KB of shared memory per block.
    static_assert(Shape::blocks * (Shape::sharedBytes(Shape::oversampling) + 1024) <= 228 * 1024);
    const std::size_t bytes = Shape::sharedBytes(arguments.oversampling);
    auto* kernel = aluKernel<Shape>;
    SINOSCOPE_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)));
    const dim3 grid((arguments.width + Shape::columns - 1) / Shape::columns,
                    (arguments.height + Shape::rows - 1) / Shape::rows, arguments.splits);
    noteLaunch(kernel, Shape::threads, bytes);
    kernel<<<grid, Shape::threads, bytes, arguments.stream>>>(arguments);
    SINOSCOPE_CUDA_LAUNCHED();
    sumSplits(arguments);
}

// Launches the kernel if `wanted` is the tuning of this variant and is in the build. Returns whether it did.
template <AluVariant variant, AluMode mode, int slices, bool half>
bool launchIfTuned(const AluTuning& wanted, const KernelArguments& arguments)
{
    constexpr Precision precision = half ? Precision::half : Precision::single;
    if constexpr (hasAluVariant(mode, precision, slices, variant)) {
        constexpr AluTuning tuning = aluTuning(90, mode, precision, slices, variant);
        if (wanted == tuning) {
            launchAluShape<AluShape<tuning, mode, slices, half, mode == AluMode::oversampled ? 4 : 0>>(arguments);
            return true;
        }
    }
    return false;
}

// Launch the tunings in alu_variants_*.cu. launchAluVariant throws Error(badRequest) for a tuning that is in none of
// these files; the others return false for one that is not in their file.
void launchAluVariant(const AluTuning& wanted, const KernelArguments& arguments);
bool launchAluLinear(const AluTuning& wanted, const KernelArguments& arguments);
bool launchAluNearest(const AluTuning& wanted, const KernelArguments& arguments);
bool launchAluOversampled(const AluTuning& wanted, const KernelArguments& arguments);

// Tries every variant except the tuned one.
template <AluMode mode, int slices, bool half, std::size_t... ids>
bool launchAnyVariant(const AluTuning& wanted, const KernelArguments& arguments, std::index_sequence<ids...>)
{
    return (launchIfTuned<aluVariants[ids + 1].variant, mode, slices, half>(wanted, arguments) || ...);
}

template <AluMode mode>
bool launchAluModeVariant(const AluTuning& wanted, const KernelArguments& arguments)
{
    if (aluMode(arguments.interpolation) != mode)
        return false;
    return forSlicesAndPrecision(arguments.sinograms.slices, arguments.sinograms.precision,
                                 [&]<int slices, bool half>() {
                                     return launchAnyVariant<mode, slices, half>(
                                         wanted, arguments, std::make_index_sequence<std::size(aluVariants) - 1>());
                                 });
}

} // namespace engine::cuda
