// SPDX-License-Identifier: GPL-3.0-or-later
// Pixels of a block in Z order, and which pixels a thread has.
#pragma once

#include "engine/backends/cuda/device/check.h"
#include "engine/backends/cuda/device/launched_kernel.h"
#include "engine/backends/cuda/plane/plane_kernels.h"

namespace engine::cuda
{

namespace
{

constexpr int planeThreads = 256;

// How the pixels of a block of 16 × 16 threads are arranged.
enum class Lanes {
    zOrder, // neighbouring lanes have neighbouring pixels, whose texels share the lines of the texture cache
            // (Chilingaryan et al. 2020, section 5.2)
    rows,   // lanes go along rows
};

// With four pixels, a thread has those 16 columns and rows apart.
template <int pixels, Lanes lanes = Lanes::zOrder>
struct PlaneTile {
    static_assert(pixels == 1 || pixels == 4);
    static constexpr int side = pixels == 4 ? 32 : 16;

    int column, row; // of the thread's first pixel

    __device__ PlaneTile()
    {
        const int t = threadIdx.x;
        if constexpr (lanes == Lanes::rows) {
            column = blockIdx.x * side + t % 16;
            row = blockIdx.y * side + t / 16;
        } else {
            column = blockIdx.x * side + ((t & 1) | (t >> 1 & 2) | (t >> 2 & 4) | (t >> 3 & 8));
            row = blockIdx.y * side + ((t >> 1 & 1) | (t >> 2 & 2) | (t >> 3 & 4) | (t >> 4 & 8));
        }
    }
    __device__ static constexpr int right(int pixel) { return 16 * (pixel & 1); }
    __device__ static constexpr int down(int pixel) { return 16 * (pixel >> 1); }

    static dim3 blocks(const PlaneTarget& target)
    {
        return dim3((target.width + side - 1) / side, (target.height + side - 1) / side);
    }
    static long long blockCount(const PlaneTarget& target)
    {
        const dim3 all = blocks(target);
        return static_cast<long long>(all.x) * all.y;
    }
};

// Returns whether so many blocks give every multiprocessor enough warps. If not, threads get fewer pixels.
inline bool fillsDevice(long long blocks, const PlaneTarget& target)
{
    return blocks >= 6LL * target.multiprocessors;
}

// Calls add(v, texture, y) for each of the launch's projections. y: of the middle of the projection's first group.
template <typename Add>
__device__ inline void forEachProjection(const PlaneTarget& target, const Add& add)
{
    const int perTexture = target.stored.perTexture;
    const float perView = static_cast<float>(target.step * target.groups);
    for (int v = 0; v < target.count;) {
        const int projection = target.first + v * target.step, k = projection / perTexture, next = (k + 1) * perTexture;
        const cudaTextureObject_t texture = target.stored.textures[k];
        const int end = min(target.count, v + (next - projection + target.step - 1) / target.step);
        float y = static_cast<float>((projection - k * perTexture) * target.groups) + 0.5f;
#pragma unroll 2
        for (; v < end; ++v, y += perView)
            add(v, texture, y);
    }
}

__device__ inline void addToPixel(const PlaneTarget& target, int column, int row, float sum)
{
    if (column < target.width && row < target.height)
        target.values[column * target.columnStride + row * target.rowStride] += sum;
}

} // namespace

} // namespace engine::cuda
