// SPDX-License-Identifier: GPL-3.0-or-later
// Storage of filtered projections in groups of rows.
#include "engine/backends/cuda/device/check.h"
#include "engine/backends/cuda/device/half_scale.cuh"
#include "engine/backends/cuda/plane/plane_kernels.h"

#include <algorithm>
#include <cuda_fp16.h>

namespace engine::cuda
{

namespace
{

constexpr unsigned mostBlocksDown = 65535; // of a grid, along y and z

__global__ void raiseLargest(const float* values, std::size_t count, unsigned* largest)
{
    unsigned mine = 0;
    const std::size_t stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t k = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; k < count; k += stride) {
        const unsigned magnitude = __float_as_uint(values[k]) & 0x7fffffffu;
        if (magnitude < 0x7f800000u) // finite
            mine = max(mine, magnitude);
    }
    for (int distance = 16; distance > 0; distance /= 2)
        mine = max(mine, __shfl_xor_sync(~0u, mine, distance));
    if (threadIdx.x % 32 == 0 && mine > 0)
        atomicMax(largest, mine);
}

__device__ inline void writeTexel(char* to, const float (&v)[rowsPerTexel], float scale, bool half)
{
    if (half) {
        const __half2 low = __floats2half2_rn(scale * v[0], scale * v[1]);
        const __half2 high = __floats2half2_rn(scale * v[2], scale * v[3]);
        *reinterpret_cast<uint2*>(to) =
            make_uint2(reinterpret_cast<const unsigned&>(low), reinterpret_cast<const unsigned&>(high));
    } else
        *reinterpret_cast<float4*>(to) = make_float4(v[0], v[1], v[2], v[3]);
}

// A thread stores one bin of all groups of a projection, from the first row to the last, so that it reads each value
// once. Behind the last bin, and before the first group of all, it stores zeros.
__global__ void storeGroups(const PlaneStore store, int count, int groupsPerBlock)
{
    const int bin = blockIdx.x * blockDim.x + threadIdx.x;
    const std::size_t texel = rowsPerTexel * (store.half ? 2 : 4), byte = bin * texel;
    if (byte >= store.pitch)
        return;
    const bool isBin = bin < store.groups.bins;
    const float scale = store.half ? halfScaleOf(*store.largest) : 1.0f;
    const int rows = store.groups.rows;
    const int firstGroup = blockIdx.z * groupsPerBlock, endGroup = min(count, firstGroup + groupsPerBlock);
    const std::size_t row = static_cast<std::size_t>(store.projections) * store.groups.bins;
    for (int p = blockIdx.y; p < store.projections; p += gridDim.y) {
        const float* at = store.filtered + static_cast<std::size_t>(p) * store.groups.bins + bin;
        const auto value = [&](int r) { return isBin && r >= 0 && r < rows ? at[r * row] : 0.0f; };
        char* to = store.data + (static_cast<std::size_t>(store.first + p) * count + firstGroup) * store.pitch + byte;
        if (store.first + p == 0 && firstGroup == 0 && bin < texelsBetween)
            writeTexel(to - texelsBetween * texel, {}, scale, store.half);
        float v[rowsPerTexel];
        v[3] = value(rowsPerGroup * firstGroup - 1);
        for (int group = firstGroup; group < endGroup; ++group) {
            const int first = rowsPerGroup * group - 1;
            v[0] = v[3];
            v[1] = value(first + 1);
            v[2] = value(first + 2);
            v[3] = value(first + 3);
            writeTexel(to, v, scale, store.half);
            to += store.pitch;
        }
    }
}

} // namespace

void findLargest(const float* values, std::size_t count, unsigned* largest, cudaStream_t stream)
{
    const std::size_t blocks = std::clamp<std::size_t>((count + 1023) / 1024, 1, 2048);
    raiseLargest<<<static_cast<unsigned>(blocks), 256, 0, stream>>>(values, count, largest);
    SINOSCOPE_CUDA_LAUNCHED();
}

void storeRowGroups(const PlaneStore& store, cudaStream_t stream)
{
    constexpr int groupsPerBlock = 16;
    const std::size_t texels = store.pitch / (rowsPerTexel * (store.half ? 2 : 4));
    const dim3 blocks(static_cast<unsigned>((texels + 127) / 128),
                      std::min(static_cast<unsigned>(store.projections), mostBlocksDown),
                      (store.groups.groups() + groupsPerBlock - 1) / groupsPerBlock);
    storeGroups<<<blocks, 128, 0, stream>>>(store, store.groups.groups(), groupsPerBlock);
    SINOSCOPE_CUDA_LAUNCHED();
}

} // namespace engine::cuda
