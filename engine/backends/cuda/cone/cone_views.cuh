// SPDX-License-Identifier: GPL-3.0-or-later
// Shared parts of the kernels: views in constant memory, of which each including file has its own copy, a fast
// reciprocal, and the general sum of a voxel.
#pragma once

#include "engine/backends/cuda/cone/cone_kernels.h"
#include "engine/backends/cuda/device/check.h"

namespace engine::cuda
{

namespace
{

__constant__ ConeView coneViews[mostConeViews];

void setConeViews(const ConeArguments& a)
{
    SINOSCOPE_CUDA(cudaMemcpyToSymbolAsync(coneViews, a.hostViews, a.projections * sizeof(ConeView), 0,
                                           cudaMemcpyHostToDevice, a.stream));
}

// Returns 1/x, accurate to one unit in the last place.
__device__ inline float reciprocal(float x)
{
    float y;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

// Returns the grid for blocks of 32 × 8 threads, with one voxel per thread.
inline dim3 voxelBlocks(const ConeArguments& a)
{
    return dim3((a.width + 31) / 32, (a.height + 7) / 8, a.endSlice - a.firstSlice);
}

// Adds the projections to this thread's voxel, with all three products of its position (Chen et al. (IPSJ report),
// Listing 1). sample(projection, bin, row) returns a filtered value.
template <typename Sample>
__device__ inline void addVoxel(const ConeArguments& a, const Sample& sample)
{
    const int i = blockIdx.x * 32 + threadIdx.x, j = blockIdx.y * 8 + threadIdx.y, k = a.firstSlice + blockIdx.z;
    if (i >= a.width || j >= a.height)
        return;
    const float x = i - 0.5f * (a.width - 1), y = j - 0.5f * (a.height - 1), z = k - 0.5f * (a.slices - 1);
    float sum = 0;
    for (int p = 0; p < a.projections; ++p) {
        const ConeView& v = coneViews[p];
        const float f = 1 / fmaf(v.wx, x, fmaf(v.wy, y, fmaf(v.wz, z, v.w0)));
        const float bin = fmaf(fmaf(v.hx, x, fmaf(v.hy, y, fmaf(v.hz, z, v.h0))), f, v.hc);
        const float row = fmaf(fmaf(v.rx, x, fmaf(v.ry, y, fmaf(v.rz, z, v.r0))), f, v.rc);
        sum = fmaf(f * f, sample(p, bin, row), sum);
    }
    a.volume[(static_cast<std::size_t>(k) * a.height + j) * a.width + i] += *a.unscale * sum;
}

} // namespace

} // namespace engine::cuda
