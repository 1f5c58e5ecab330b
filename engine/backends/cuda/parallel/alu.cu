// SPDX-License-Identifier: GPL-3.0-or-later
// Method `alu`: bins are cached in shared memory and interpolated by the arithmetic units (Chilingaryan et al. 2020,
// Algorithms 6 to 9 and section 7.2).
#include "engine/backends/cuda/device/launched_kernel.h"
#include "engine/backends/cuda/parallel/alu_kernel.cuh"
#include "engine/backends/cuda/parallel/kernels.h"
#include "engine/backends/cuda/parallel/tuning.h"
#include "engine/base/error.h"
#include "engine/filter/dispatch.h"

#include <algorithm>

namespace engine::cuda
{

namespace
{

int tiles(const KernelArguments& arguments, const AluTuning& tuning)
{
    return ((arguments.width + tuning.columns - 1) / tuning.columns) *
           ((arguments.height + tuning.rows - 1) / tuning.rows);
}

AluTuning tuningOf(const KernelArguments& arguments)
{
    const DeviceSinograms& sinograms = arguments.sinograms;
    const auto tuning = [&](AluVariant variant) {
        return aluTuning(arguments.computeCapability, aluMode(arguments.interpolation), sinograms.precision,
                         sinograms.slices, variant);
    };
    const AluTuning wanted = tuning(arguments.aluVariant);
    // Square tiles for images whose tall tiles would leave multiprocessors idle, however the projections are split
    // (256² from 256 projections on an H200, linear: 474 GU/s in tall tiles, 684 GU/s in square ones).
    const int blocks = tiles(arguments, wanted) * std::clamp(sinograms.projections / 32, 1, mostSplits);
    if (arguments.aluVariant == AluVariant::tuned && wanted.rows > 64 && blocks < arguments.multiprocessors)
        return tuning(AluVariant::squareTile);
    return wanted;
}

// Kernel for coarse previews, whose pixels lie too far apart for the tiles. One thread per pixel; bins from global
// memory.
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
    noteLaunch(coarseKernel<mode, slices, half>, 256);
    coarseKernel<mode, slices, half><<<grid, 256, 0, arguments.stream>>>(arguments);
    SINOSCOPE_CUDA_LAUNCHED();
}

template <AluMode mode, int slices, bool half>
void launchMode(const KernelArguments& arguments)
{
    constexpr Precision precision = half ? Precision::half : Precision::single;
    if (arguments.coarse)
        return launchCoarse<mode, slices, half>(arguments);
    if (mode == AluMode::oversampled && arguments.oversampling != 4) {
        // An oversampling factor of 64 must still fit into shared memory.
        constexpr AluTuning tuning = [] {
            AluTuning any = tunedAlu(90, mode, precision, slices);
            any.columns = any.rows = 32;
            any.stage = 1;
            any.blocks = 2;
            return any;
        }();
        return launchAluShape<AluShape<tuning, mode, slices, half>>(arguments);
    }
    const AluTuning wanted = tuningOf(arguments);
    if (!launchIfTuned<AluVariant::tuned, mode, slices, half>(wanted, arguments))
        launchAluVariant(wanted, arguments);
}

template <int slices, bool half>
void launch(const KernelArguments& arguments)
{
    switch (aluMode(arguments.interpolation)) {
    case AluMode::nearest:
        return launchMode<AluMode::nearest, slices, half>(arguments);
    case AluMode::linear:
        return launchMode<AluMode::linear, slices, half>(arguments);
    case AluMode::oversampled:
        return launchMode<AluMode::oversampled, slices, half>(arguments);
    case AluMode::cubic:
        return launchMode<AluMode::cubic, slices, half>(arguments);
    }
}

} // namespace

void launchAluVariant(const AluTuning& wanted, const KernelArguments& arguments)
{
    if (!launchAluLinear(wanted, arguments) && !launchAluNearest(wanted, arguments) &&
        !launchAluOversampled(wanted, arguments))
        throw Error(ErrorKind::badRequest, "this tuning of `alu` is not in the build");
}

int blocksAlu(const KernelArguments& arguments)
{
    return tiles(arguments, tuningOf(arguments));
}

void launchAlu(const KernelArguments& arguments)
{
    forSlicesAndPrecision(arguments.sinograms.slices, arguments.sinograms.precision,
                          [&]<int slices, bool half>() { launch<slices, half>(arguments); });
}

int residentAlu(const KernelArguments& arguments)
{
    return tuningOf(arguments).blocks;
}

const Kernels aluKernels = {
    .launch = launchAlu,
    .blocks = blocksAlu,
    .resident = residentAlu,
    .setVariant = [](KernelArguments& arguments,
                     const std::string& variant) { arguments.aluVariant = aluVariantFromText(variant); },
};

} // namespace engine::cuda
