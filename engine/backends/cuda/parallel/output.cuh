// SPDX-License-Identifier: GPL-3.0-or-later
// Projections that a block sums, and storage of its sums.
#pragma once

#include "engine/backends/cuda/device/vector.cuh"
#include "engine/backends/cuda/parallel/launch.h"

namespace engine::cuda
{

struct ProjectionRange {
    int first, last;
};

// Returns the projections of one split of the launch.
__device__ inline ProjectionRange projectionsOf(const KernelArguments& arguments, int split)
{
    const long long count = arguments.sinograms.projections;
    return {static_cast<int>(count * split / arguments.splits),
            static_cast<int>(count * (split + 1) / arguments.splits)};
}

// Stores the sums of a pixel. more: adds them to what an earlier launch stored.
template <int slices>
__device__ inline void store(const KernelArguments& arguments, int split, int row, int column, const Sum<slices>& sum,
                             bool more = false)
{
    if (row >= arguments.height || column >= arguments.width)
        return;
    const std::size_t size = static_cast<std::size_t>(arguments.width) * arguments.height;
    const std::size_t pixel = static_cast<std::size_t>(row) * arguments.width + column;
    float* out = arguments.splits > 1 ? arguments.partial + split * size * slices : arguments.image;
    const float scale = arguments.splits > 1 ? 1.0f : *arguments.unscale;
#pragma unroll
    for (int s = 0; s < slices; ++s)
        out[s * size + pixel] = (more ? out[s * size + pixel] : 0.0f) + sum.value[s] * scale;
}

} // namespace engine::cuda
