// SPDX-License-Identifier: GPL-3.0-or-later
// One tile of the texture kernel, used by `texture` and `hybrid`.
#pragma once

#include "engine/backends/cuda/device/vector.cuh"
#include "engine/backends/cuda/parallel/launch.h"
#include "engine/backends/cuda/parallel/rounding.cuh"

namespace engine::cuda
{

constexpr int textureTile = 16; // columns of a tile
template <int pixels>
constexpr int textureRows = 4 * pixels;

// Back-projects 16 columns × 4·pixels rows with 256 threads in a cache-aware order (Chilingaryan et al. 2020,
// Algorithms 2 and 3). The low four bits of a thread's index are its pixel of a 4×4 square in Z order, the next two
// select the square, and the last two select which of four neighbouring projections it sums. A thread has `pixels`
// pixels, four rows apart, which share the load of a ray. shared: 64·textureRows sums; afterwards shared[16·row +
// column] holds the sums of a pixel, for all threads. ray(p): start, perColumn and perRow of projection p as floats,
// because the texture unit's weights are coarser. samples: if not 0, positions are rounded to one of so many samples
// per bin, a power of two, whose weights the texture unit has exactly: oversampled interpolation.
template <int slices, int pixels, int samples = 0, typename RayOf>
__device__ inline void textureTileSum(cudaTextureObject_t texture, RayOf ray, int first, int last, int column0,
                                      int row0, Sum<slices>* shared)
{
    const int thread = threadIdx.x;
    const int x = ((thread & 1) | ((thread >> 1) & 2)) + 4 * ((thread >> 4) & 3);
    const int y = ((thread >> 1) & 1) | ((thread >> 2) & 2);
    const int part = __shfl_sync(~0u, thread >> 6, 0); // the same for a warp; the shuffle tells the compiler so
    const float column = column0 + x, row = row0 + y;

    Sum<slices> sums[pixels] = {};
#pragma unroll 4
    for (int p = first + part; p < last; p += 4) {
        const float4 r = ray(p);
        const float h = fmaf(column, r.y, fmaf(row, r.z, r.x)) + 0.5f;
        const float v = p + 0.5f;
#pragma unroll
        for (int q = 0; q < pixels; ++q) {
            float at = fmaf(4.0f * q, r.z, h);
            if constexpr (samples >
                          0) { // h is half a bin more than the position; the half is a whole number of samples
                static_assert(samples >= 2 && (samples & (samples - 1)) == 0);
                at = ((fmaf(at, samples, tieUp) + roundingMagic) - roundingMagic) * (1.0f / samples);
            }
            add(sums[q], tex2D<FloatVector<slices>>(texture, at, v));
        }
    }
    constexpr int size = 16 * textureRows<pixels>;
#pragma unroll
    for (int q = 0; q < pixels; ++q)
        shared[size * part + 16 * (y + 4 * q) + x] = sums[q];
    __syncthreads();
    for (int i = thread; i < size; i += 256)
#pragma unroll
        for (int s = 0; s < slices; ++s)
            shared[i].value[s] +=
                shared[size + i].value[s] + shared[2 * size + i].value[s] + shared[3 * size + i].value[s];
    __syncthreads();
}

} // namespace engine::cuda
