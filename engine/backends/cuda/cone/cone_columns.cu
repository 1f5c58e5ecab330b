// SPDX-License-Identifier: GPL-3.0-or-later
// Method `columns`: interpolates between bins (u) first and between rows (v) later, in full precision. Along a column
// of voxels the bin and the weight stay the same. So each row of the projection that the column meets is interpolated
// between its two bins once, weight included, and the voxels are interpolated between two of these rows, which are in
// registers. Rows lie nearly as far apart as voxels, so that the two rows of a voxel are known except for an offset
// of one. Let c[0] be the first row that a group of voxels needs, and let the position of its voxel k be k + t. Then
//   value = c[k] + sat(t)·(c[k+1] − c[k]) + sat(t − 1)·(c[k+2] − c[k+1]),   0 ≤ t < 2,
// and the compiler knows all indices. No symmetry is used. The patch of a projection that a block's
// 16 × 16 columns meet is in shared memory; it is fetched while the previous patch is used (Chen et al. 2019, section
// 3.2.3: transposed projections).
#include "engine/backends/cuda/cone/cone_views.cuh"
#include "engine/backends/cuda/device/launched_kernel.h"

#include <algorithm>
#include <cmath>
#include <cuda_fp16.h>

namespace engine::cuda
{

namespace
{

constexpr int blockPixels = 16, blockThreads = 256;
constexpr int mostChunks = 4; // per thread and patch, of 16 bytes of floats

using Patch = ConePatch;

// Copies four floats while the block goes on, or at once on Turing, which has no such copies.
__device__ inline void copyAsync(float* to, const float* from, bool inside)
{
#if __CUDA_ARCH__ >= 800
    const unsigned target = static_cast<unsigned>(__cvta_generic_to_shared(to));
    const int bytes = inside ? 16 : 0; // the rest is filled with zeros
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(target), "l"(from), "r"(bytes));
#else
    *reinterpret_cast<float4*>(to) = inside ? __ldg(reinterpret_cast<const float4*>(from)) : float4{0, 0, 0, 0};
#endif
}

__device__ inline void endOfCopies()
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;");
#endif
}

__device__ inline void waitForCopies()
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_group 0;");
#endif
}

// Returns the first bin and the first row (a multiple of 4) of the patch that the block's voxels meet.
__device__ int2 patchOrigin(const ConeArguments& a, const ConeView& v, float z0, int deep)
{
    const int left = blockIdx.x * blockPixels, top = blockIdx.y * blockPixels;
    const int right = min(left + blockPixels, a.width) - 1, bottom = min(top + blockPixels, a.height) - 1;
    float bin = 1e30f, row = 1e30f;
    for (int corner = 0; corner < 8; ++corner) {
        const float x = (corner & 1 ? right : left) - 0.5f * (a.width - 1);
        const float y = (corner & 2 ? bottom : top) - 0.5f * (a.height - 1);
        const float z = z0 + (corner & 4 ? deep - 1 : 0);
        const float f = reciprocal(fmaf(v.wx, x, fmaf(v.wy, y, v.w0)));
        bin = fminf(bin, fmaf(fmaf(v.hx, x, fmaf(v.hy, y, v.h0)), f, v.hc));
        row = fminf(row, fmaf(fmaf(v.rx, x, fmaf(v.ry, y, fmaf(v.rz, z, v.r0))), f, v.rc));
    }
    // 0.01 allows for rounding. 1 more is subtracted from the row, because a group may read one row before the row of
    // its first voxel.
    return {static_cast<int>(floorf(bin - 0.01f)), static_cast<int>(floorf(row - 1.01f)) & ~3};
}

struct Chunk {
    int bin, row, place; // position within the patch; place -1: no chunk
};

template <bool half>
struct Loader {
    Chunk chunks[mostChunks];
    uint2 waiting[half ? mostChunks : 1]; // halves in transit through registers

    __device__ Loader(Patch patch)
    {
        const int perBin = patch.rows / 4;
#pragma unroll
        for (int c = 0; c < mostChunks; ++c) {
            const int index = threadIdx.x + c * blockThreads;
            chunks[c] = {index / perBin, index % perBin * 4, index < perBin * patch.bins ? index * 4 : -1};
        }
    }
    __device__ void begin(const ConeArguments& a, int p, int2 origin, float* patch)
    {
#pragma unroll
        for (int c = 0; c < mostChunks; ++c) {
            if (chunks[c].place < 0)
                break;
            const int bin = origin.x + chunks[c].bin, row = origin.y + chunks[c].row;
            const bool inside = bin >= 0 && bin < a.bins && row >= 0 && row < a.linePitch;
            const std::size_t at =
                p * a.projectionStride + (inside ? static_cast<std::size_t>(bin) * a.linePitch + row : 0);
            if constexpr (half)
                waiting[c] = inside ? __ldg(reinterpret_cast<const uint2*>(static_cast<const __half*>(a.data) + at))
                                    : uint2{0, 0};
            else
                copyAsync(patch + chunks[c].place, static_cast<const float*>(a.data) + at, inside);
        }
        if constexpr (!half)
            endOfCopies();
    }
    __device__ void end(float* patch)
    {
        if constexpr (half) {
#pragma unroll
            for (int c = 0; c < mostChunks; ++c) {
                if (chunks[c].place < 0)
                    break;
                const float2 low = __half22float2(reinterpret_cast<const __half2&>(waiting[c].x));
                const float2 high = __half22float2(reinterpret_cast<const __half2&>(waiting[c].y));
                *reinterpret_cast<float4*>(patch + chunks[c].place) = {low.x, low.y, high.x, high.y};
            }
        } else
            waitForCopies();
    }
};

// Adds one projection to a group of voxels in a column. left, right: rows of the two bins; row: position of the
// group's first voxel among the rows of the patch.
template <int group, bool linear>
__device__ inline void addGroup(const float* left, const float* right, int rows, float row, float step, float wa,
                                float wb, float* sums)
{
    if constexpr (!linear) {
#pragma unroll
        for (int k = 0; k < group; ++k)
            sums[k] =
                fmaf(wa, left[min(max(__float2int_rd(fmaf(step, static_cast<float>(k), row + 0.5f)), 0), rows - 1)],
                     sums[k]);
    } else if constexpr (group == 1) {
        const float base = floorf(row), t = row - base;
        const int at = min(max(static_cast<int>(base), 0), rows - 2);
        const float c0 = fmaf(wb, right[at], wa * left[at]), c1 = fmaf(wb, right[at + 1], wa * left[at + 1]);
        sums[0] += fmaf(t, c1 - c0, c0);
    } else {
        const float drift = step - 1;
        const float base = floorf(row + fminf(0.0f, (group - 1) * drift));
        const float t = row - base, u = t - 1;
        const int at = min(max(static_cast<int>(base), 0), rows - 2 - group);
        float before = fmaf(wb, right[at], wa * left[at]);
        float here = fmaf(wb, right[at + 1], wa * left[at + 1]);
        float rise = here - before;
#pragma unroll
        for (int k = 0; k < group; ++k) {
            const float next = fmaf(wb, right[at + k + 2], wa * left[at + k + 2]);
            const float further = next - here;
            const float first = __saturatef(fmaf(drift, static_cast<float>(k), t));
            const float second = __saturatef(fmaf(drift, static_cast<float>(k), u));
            sums[k] = fmaf(second, further, fmaf(first, rise, sums[k] + before));
            before = here;
            here = next;
            rise = further;
        }
    }
}

template <int deep, int group, bool linear, bool half>
__global__ void __launch_bounds__(blockThreads, 4)
    coneColumns(const __grid_constant__ ConeArguments a, const Patch patch)
{
    extern __shared__ float4 shared[];
    __shared__ int2 origins[mostConeViews];
    float* patches[2] = {reinterpret_cast<float*>(shared), reinterpret_cast<float*>(shared) + patch.bins * patch.rows};
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int i = blockIdx.x * blockPixels + warp % 2 * 8 + lane % 8,
              j = blockIdx.y * blockPixels + warp / 2 * 4 + lane / 8;
    const int first = a.firstSlice + blockIdx.z * deep;
    // Threads beyond the volume, where the source may be, compute the nearest column inside it.
    const float x = min(i, a.width - 1) - 0.5f * (a.width - 1), y = min(j, a.height - 1) - 0.5f * (a.height - 1);
    const float z = first - 0.5f * (a.slices - 1);
    for (int p = threadIdx.x; p < a.projections; p += blockThreads)
        origins[p] = patchOrigin(a, coneViews[p], z, deep);
    __syncthreads();

    if (a.projections == 0)
        return;
    Loader<half> loader(patch);
    loader.begin(a, 0, origins[0], patches[0]);
    loader.end(patches[0]);
    float sums[deep] = {};
    for (int p = 0; p < a.projections; ++p) {
        __syncthreads(); // the patch is complete, and the other one is free
        if (p + 1 < a.projections)
            loader.begin(a, p + 1, origins[p + 1], patches[(p + 1) & 1]);
        const ConeView& view = coneViews[p];
        const float f = reciprocal(fmaf(view.wx, x, fmaf(view.wy, y, view.w0)));
        const float weight = f * f, step = view.rz * f;
        const float h =
            fmaf(fmaf(view.hx, x, fmaf(view.hy, y, view.h0)), f, view.hc) - origins[p].x + (linear ? 0.0f : 0.5f);
        const float row = fmaf(step, z, fmaf(fmaf(view.rx, x, fmaf(view.ry, y, view.r0)), f, view.rc)) - origins[p].y;
        const float bin = floorf(h), u = h - bin;
        // The position is within the patch by construction; clamping keeps rounding errors from reaching other
        // memory.
        const float* left = patches[p & 1] + min(max(static_cast<int>(bin), 0), patch.bins - 2) * patch.rows;
        const float wb = linear ? weight * u : 0.0f, wa = weight - wb;
#pragma unroll
        for (int g = 0; g < deep; g += group)
            addGroup<group, linear>(left, left + patch.rows, patch.rows, fmaf(step, static_cast<float>(g), row), step,
                                    wa, wb, sums + g);
        if (p + 1 < a.projections)
            loader.end(patches[(p + 1) & 1]);
    }
    if (i >= a.width || j >= a.height)
        return;
    const float unscale = *a.unscale;
#pragma unroll
    for (int k = 0; k < deep; ++k)
        if (first + k < a.endSlice)
            a.volume[(static_cast<std::size_t>(first + k) * a.height + j) * a.width + i] += unscale * sums[k];
}

template <int deep, int group, bool linear, bool half>
void launchColumns(const ConeArguments& a)
{
    const Patch patch = a.patch;
    const std::size_t bytes = 2 * sizeof(float) * patch.bins * patch.rows;
    const auto kernel = coneColumns<deep, group, linear, half>;
    SINOSCOPE_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)));
    const dim3 blocks((a.width + blockPixels - 1) / blockPixels, (a.height + blockPixels - 1) / blockPixels,
                      (a.endSlice - a.firstSlice + deep - 1) / deep);
    noteLaunch(kernel, blockThreads, bytes);
    kernel<<<blocks, blockThreads, bytes, a.stream>>>(a, patch);
    SINOSCOPE_CUDA_LAUNCHED();
}

template <bool linear, bool half>
void launchGroups(const ConeArguments& a)
{
    if (a.deep == 1)
        launchColumns<1, 1, linear, half>(a);
    else if (a.group >= 8 && linear)
        launchColumns<mostDeepColumns, 8, linear, half>(a);
    else if (a.group >= 4 && linear)
        launchColumns<mostDeepColumns, 4, linear, half>(a);
    else
        launchColumns<mostDeepColumns, 1, linear, half>(a);
}

} // namespace

// Computes the size of the patch. Blocks at the border of the slices meet the most bins and rows. These numbers change
// smoothly along the border, so that only a few blocks are measured, and one pixel is added for those between them.
ConePatch conePatchFor(const ConeView* views, int projections, int width, int height, int slices, int deep)
{
    constexpr double edge = blockPixels - 1;
    const double right = 0.5 * (width - 1), bottom = 0.5 * (height - 1), top = 0.5 * (slices - 1);
    double bins = 0, rows = 0;
    const auto measure = [&](const ConeView& v, double x, double y) {
        for (const double z : {-top, top}) {
            double h[2] = {1e30, -1e30}, r[2] = {1e30, -1e30};
            double depth = 0;
            for (int corner = 0; corner < 4; ++corner) {
                const double cx = std::clamp(x + (corner & 1 ? edge : 0), -right, right);
                const double cy = std::clamp(y + (corner & 2 ? edge : 0), -bottom, bottom);
                const double f = 1 / (v.wx * cx + v.wy * cy + v.w0);
                const double bin = (v.hx * cx + v.hy * cy + v.h0) * f;
                const double row = (v.rx * cx + v.ry * cy + v.rz * z + v.r0) * f;
                h[0] = std::min(h[0], bin);
                h[1] = std::max(h[1], bin);
                r[0] = std::min(r[0], row);
                r[1] = std::max(r[1], row);
                depth = std::max(depth, std::abs(v.rz * f) * (deep - 1));
            }
            bins = std::max(bins, h[1] - h[0]);
            rows = std::max(rows, r[1] - r[0] + depth);
        }
    };
    constexpr int samples = 8;
    for (int p = 0; p < projections; ++p)
        for (int t = 0; t <= samples; ++t) {
            const double along = -1 + 2.0 * t / samples;
            measure(views[p], along * right - edge / 2, -bottom);
            measure(views[p], along * right - edge / 2, bottom - edge);
            measure(views[p], -right, along * bottom - edge / 2);
            measure(views[p], right - edge, along * bottom - edge / 2);
        }
    // Bins: two more for interpolation, one for the sampling. Rows: up to five before the first (patchOrigin), and
    // one that a group reads beyond its last. An odd number of quads makes bins begin in different banks.
    const int quads = (static_cast<int>(std::ceil(rows)) + 8 + 3) / 4;
    const ConePatch patch{static_cast<int>(std::ceil(bins)) + 3, (quads | 1) * 4};
    return patch.bins * patch.rows / 4 <= mostChunks * blockThreads ? patch : ConePatch{};
}

void launchConeColumns(const ConeArguments& a)
{
    setConeViews(a);
    if (a.linear)
        a.half ? launchGroups<true, true>(a) : launchGroups<true, false>(a);
    else
        a.half ? launchGroups<false, true>(a) : launchGroups<false, false>(a);
}

} // namespace engine::cuda
