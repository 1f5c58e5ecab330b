// SPDX-License-Identifier: GPL-3.0-or-later
// Rays in constant memory, for the methods that use the texture unit (Chilingaryan et al. 2020, section 5.1).
#pragma once

#include "engine/backends/cuda/parallel/output.cuh"

namespace engine::cuda
{

// A kernel parameter is read through the constant cache. This leaves all of the L1, which is the texture cache too, to
// the fetches (tests/bench/results/texture-paths.md). Parameters hold 32 KB since CUDA 12.1; more projections take
// several launches, each of which adds to the previous one.
constexpr int raysAtOnce = 1920;

struct RayBlock {
    int first, count; // projections of this launch
    float4 rays[raysAtOnce];

    __device__ float4 ray(int projection) const { return rays[projection - first]; }
    // Whether an earlier launch has stored sums already.
    __device__ bool adds() const { return first > 0; }
};

// Returns the projections of the launch that one split sums.
__device__ inline ProjectionRange projectionsOf(const RayBlock& block, int split, int splits)
{
    return {block.first + static_cast<int>(static_cast<long long>(block.count) * split / splits),
            block.first + static_cast<int>(static_cast<long long>(block.count) * (split + 1) / splits)};
}

// Sums the projections of one split over a pixel, one after another, and stores the sum (Algorithm 1).
template <int slices>
__device__ inline void sumPixel(const KernelArguments& arguments, const RayBlock& block, int row, int column)
{
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

// Calls launch(block) for every block of projections, then sums the splits.
template <typename Launch>
void launchByRayBlocks(const KernelArguments& arguments, Launch launch)
{
    const long long projections = arguments.sinograms.projections;
    const int launches = static_cast<int>((projections + raysAtOnce - 1) / raysAtOnce);
    RayBlock block;
    for (int k = 0; k < launches; ++k) {
        block.first = static_cast<int>(projections * k / launches);
        block.count = static_cast<int>(projections * (k + 1) / launches) - block.first;
        for (int p = 0; p < block.count; ++p)
            block.rays[p] = arguments.hostRays[block.first + p].single;
        launch(block);
        SINOSCOPE_CUDA_LAUNCHED();
    }
    sumSplits(arguments);
}

} // namespace engine::cuda
