// SPDX-License-Identifier: GPL-3.0-or-later
// Method `shuffle`: Chen et al. 2019, Listing 1, with the methods of its Table 3 to access the projections. The lanes
// of a warp are 32 voxels of a column. Each lane computes u and 1/w for one of 32 projections, which all other lanes
// get from it by shuffles. If the geometry is mirrored, a thread has two voxels, mirrored at the middle plane.
// Interpolation is in 32 bits (Algorithm 3).
#include "engine/backends/cuda/cone/cone_variants.h"
#include "engine/backends/cuda/cone/cone_views.cuh"
#include "engine/backends/cuda/device/launched_kernel.h"

#include <cuda_fp16.h>

namespace engine::cuda
{

namespace
{

// Returns a value of projection p: by a texture fetch without interpolation, or through the first-level cache.
template <ShuffleVariant variant, bool half>
__device__ inline float valueAt(const ConeArguments& a, int p, int bin, int row)
{
    if constexpr (variant == ShuffleVariant::rtk32 || variant == ShuffleVariant::bpTex)
        return tex2DLayered<float>(a.texture, bin + 0.5f, row + 0.5f, p);
    else if constexpr (variant == ShuffleVariant::texTran)
        return tex2DLayered<float>(a.texture, row + 0.5f, bin + 0.5f, p);
    if (bin < 0 || bin >= a.bins || row < 0 || row >= a.rows)
        return 0;
    const std::size_t at =
        p * a.projectionStride + (variant == ShuffleVariant::bpL1 ? static_cast<std::size_t>(row) * a.linePitch + bin
                                                                  : static_cast<std::size_t>(bin) * a.linePitch + row);
    if constexpr (half)
        return __half2float(__ldg(static_cast<const __half*>(a.data) + at));
    else
        return __ldg(static_cast<const float*>(a.data) + at);
}

template <ShuffleVariant variant, bool half>
__device__ inline float sampleAt(const ConeArguments& a, int p, float u, float v)
{
    // Values more than a pixel beyond the detector are zero; their positions need not fit an int.
    if (!(u > -2 && u < a.bins + 1.0f && v > -2 && v < a.rows + 1.0f))
        return 0;
    if (!a.linear)
        return valueAt<variant, half>(a, p, __float2int_rd(u + 0.5f), __float2int_rd(v + 0.5f));
    const float left = floorf(u), top = floorf(v);
    const int bin = static_cast<int>(left), row = static_cast<int>(top);
    const float du = u - left, dv = v - top;
    const float a0 = valueAt<variant, half>(a, p, bin, row), a1 = valueAt<variant, half>(a, p, bin + 1, row);
    const float b0 = valueAt<variant, half>(a, p, bin, row + 1), b1 = valueAt<variant, half>(a, p, bin + 1, row + 1);
    const float t1 = fmaf(a1 - a0, du, a0), t2 = fmaf(b1 - b0, du, b0);
    return fmaf(t2 - t1, dv, t1);
}

// RTK's kernel in 32 bits: one thread per voxel, threads along a row of voxels, all three products with the matrix.
template <bool half>
__global__ void __launch_bounds__(256) coneRtk32(const __grid_constant__ ConeArguments a)
{
    addVoxel(a, [&](int p, float bin, float row) { return sampleAt<ShuffleVariant::rtk32, half>(a, p, bin, row); });
}

// Lanes lie along z, which is the fastest index of the volume.
template <ShuffleVariant variant, bool half, bool mirrored>
__global__ void __launch_bounds__(256) coneShuffle(const __grid_constant__ ConeArguments a)
{
    const int lane = threadIdx.x, k = a.firstSlice + blockIdx.x * 32 + lane;
    const int i = blockIdx.y * 8 + threadIdx.y, j = blockIdx.z;
    if (i >= a.width) // the same for all lanes of a warp
        return;
    const float x = i - 0.5f * (a.width - 1), y = j - 0.5f * (a.height - 1), z = k - 0.5f * (a.slices - 1);
    float sum = 0, mirror = 0;
    for (int first = 0; first < a.projections; first += 32) {
        float ownF = 0, ownU = 0;
        if (first + lane < a.projections) {
            const ConeView& v = coneViews[first + lane];
            ownF = 1 / fmaf(v.wx, x, fmaf(v.wy, y, v.w0));
            ownU = fmaf(fmaf(v.hx, x, fmaf(v.hy, y, v.h0)), ownF, v.hc);
        }
        const int count = min(32, a.projections - first);
        for (int s = 0; s < count; ++s) {
            const float u = __shfl_sync(~0u, ownU, s), f = __shfl_sync(~0u, ownF, s);
            const ConeView& view = coneViews[first + s];
            const float v = fmaf(fmaf(view.rx, x, fmaf(view.ry, y, fmaf(view.rz, z, view.r0))), f, view.rc);
            sum = fmaf(f * f, sampleAt<variant, half>(a, first + s, u, v), sum);
            if constexpr (mirrored)
                mirror = fmaf(f * f, sampleAt<variant, half>(a, first + s, u, a.rows - 1 - v), mirror);
        }
    }
    if (k >= a.endSlice)
        return;
    float* column = a.volume + (static_cast<std::size_t>(j) * a.width + i) * a.slices;
    column[k] += *a.unscale * sum;
    if (mirrored && a.slices - 1 - k != k)
        column[a.slices - 1 - k] += *a.unscale * mirror;
}

template <ShuffleVariant variant, bool half>
void launchShuffle(const ConeArguments& a)
{
    const dim3 blocks((a.endSlice - a.firstSlice + 31) / 32, (a.width + 7) / 8, a.height);
    const auto kernel = a.mirrored ? coneShuffle<variant, half, true> : coneShuffle<variant, half, false>;
    noteLaunch(kernel, 32 * 8);
    kernel<<<blocks, dim3(32, 8), 0, a.stream>>>(a);
}

template <bool half>
void launchVariant(const ConeArguments& a, ShuffleVariant variant)
{
    switch (variant) {
    case ShuffleVariant::rtk32:
        noteLaunch(coneRtk32<half>, 32 * 8);
        coneRtk32<half><<<voxelBlocks(a), dim3(32, 8), 0, a.stream>>>(a);
        break;
    case ShuffleVariant::bpTex:
        launchShuffle<ShuffleVariant::bpTex, half>(a);
        break;
    case ShuffleVariant::texTran:
        launchShuffle<ShuffleVariant::texTran, half>(a);
        break;
    case ShuffleVariant::bpL1:
        launchShuffle<ShuffleVariant::bpL1, half>(a);
        break;
    case ShuffleVariant::l1Tran:
        launchShuffle<ShuffleVariant::l1Tran, half>(a);
        break;
    }
    SINOSCOPE_CUDA_LAUNCHED();
}

} // namespace

ShuffleVariant shuffleVariantOf(const std::string& id)
{
    for (int k = 0; k < 5; ++k)
        if (id == shuffleVariants[k].id)
            return static_cast<ShuffleVariant>(k); // in the order of the names
    return ShuffleVariant::l1Tran;
}

void launchConeShuffle(const ConeArguments& a, ShuffleVariant variant)
{
    setConeViews(a);
    a.half ? launchVariant<true>(a, variant) : launchVariant<false>(a, variant);
}

} // namespace engine::cuda
