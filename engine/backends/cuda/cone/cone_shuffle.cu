// SPDX-License-Identifier: GPL-3.0-or-later
// Method `shuffle`: Chen et al. 2019, Listing 1, with the methods of its Table 3 to access the projections. The lanes
// of a warp are 32 voxels of a column. Each lane computes u and 1/w for one of 32 projections, which all other lanes
// get from it by shuffles. If the geometry is mirrored, a thread has two voxels, mirrored at the middle plane.
// Interpolation is in 32 bits (Algorithm 3).
#include "engine/backends/cuda/cone/cone_variants.h"
#include "engine/backends/cuda/cone/cone_views.cuh"
#include "engine/backends/cuda/device/launched_kernel.h"
#include "engine/backends/cuda/parallel/rounding.cuh"

#include <cuda_fp16.h>
#include <type_traits>

namespace engine::cuda
{

namespace
{

// The pixel at or before a position, as a float and in its last bits, and how far the position lies beyond the pixel.
struct Cell {
    unsigned bits; // roundingBits + whole
    float whole, fraction;
};

template <bool linear>
__device__ inline Cell cellOf(float at)
{
    const float sum = __fadd_rd(linear ? at : at + 0.5f, roundingMagic); // rounded down
    const float whole = sum - roundingMagic;
    return {__float_as_uint(sum), whole, at - whole};
}

// Moves a position more than a pixel beyond the detector, or one that is no number, to where all values are zero. The
// mirrored position is in the range, too.
__device__ inline float inMargin(float at, int pixels)
{
    return fminf(fmaxf(at, -2.0f), pixels + 1.0f);
}

// Whether a position in the margin's range is so far beyond the detector that its values are zero.
__device__ inline bool isBeyond(float at, int pixels)
{
    return !(at > -2.0f && at < pixels + 1.0f);
}

// Values of a projection near a bin, by texture fetches without interpolation.
template <ShuffleVariant variant, class>
struct Fetched {
    cudaTextureObject_t texture;
    int projection;
    float bin;

    __device__ Fetched(const ConeArguments& a, int p, const Cell& first)
        : texture(a.texture), projection(p), bin(first.whole)
    {
    }
    __device__ float at(int right, const Cell& row, int down) const
    {
        const float x = bin + (right + 0.5f), y = row.whole + (down + 0.5f);
        return variant == ShuffleVariant::texTran ? tex2DLayered<float>(texture, y, x, projection)
                                                  : tex2DLayered<float>(texture, x, y, projection);
    }
};

// Returns from + count · bytes. In assembly, because the compiler would add the parts of an address in an order that
// takes more instructions in the loop.
__device__ inline const char* advanced(const char* from, unsigned count, unsigned bytes)
{
    const char* to;
    asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(to) : "r"(count), "r"(bytes), "l"(from));
    return to;
}

// The same through the first-level cache. A margin of zeros replaces comparisons with the detector's edges. A batch has
// a gigabyte of floats, or one projection, so 32 bits count its values.
template <ShuffleVariant variant, class Value>
struct Cached {
    static constexpr bool transposed = variant == ShuffleVariant::l1Tran;
    static constexpr unsigned firstBits = roundingBits - coneMarginBefore; // of the margin's first pixel
    const char* values;                                                    // of the bin, in row −firstBits
    unsigned lineBytes;

    __device__ Cached(const ConeArguments& a, int p, const Cell& bin)
    {
        const unsigned pitch = a.linePitch;
        const unsigned first =
            p * static_cast<unsigned>(a.projectionStride) + (bin.bits - firstBits) * (transposed ? pitch : 1);
        lineBytes = pitch * sizeof(Value);
        values = advanced(static_cast<const char*>(a.data) - std::size_t{firstBits} * rowBytes(), first, sizeof(Value));
    }
    __device__ unsigned rowBytes() const { return transposed ? sizeof(Value) : lineBytes; }
    __device__ float at(int right, const Cell& row, int down) const
    {
        const char* line =
            advanced(values, row.bits, rowBytes()) + (transposed ? right : down) * std::size_t{lineBytes};
        const Value* value = reinterpret_cast<const Value*>(line) + (transposed ? down : right);
        if constexpr (std::is_same_v<Value, __half>)
            return __half2float(__ldg(value));
        else
            return __ldg(value);
    }
};

// The texture unit is the limit of these variants, so that fetches beyond the detector are left out. The others would
// lose more by the comparisons.
template <ShuffleVariant variant>
constexpr bool isTexture = !(variant == ShuffleVariant::bpL1 || variant == ShuffleVariant::l1Tran);

template <ShuffleVariant variant, class Value>
using Projection = std::conditional_t<isTexture<variant>, Fetched<variant, Value>, Cached<variant, Value>>;

template <bool linear, class Values>
__device__ inline float sampleAt(const Values& near, float du, const Cell& row)
{
    const float a0 = near.at(0, row, 0);
    if constexpr (!linear)
        return a0;
    const float a1 = near.at(1, row, 0), b0 = near.at(0, row, 1), b1 = near.at(1, row, 1);
    const float t1 = fmaf(a1 - a0, du, a0), t2 = fmaf(b1 - b0, du, b0);
    return fmaf(t2 - t1, row.fraction, t1);
}

// RTK's kernel in 32 bits: one thread per voxel, threads along a row of voxels, all three products with the matrix.
template <bool linear>
__global__ void __launch_bounds__(256) coneRtk32(const __grid_constant__ ConeArguments a)
{
    addVoxel(a, [&](int p, float u, float v) {
        if (isBeyond(u, a.bins) || isBeyond(v, a.rows))
            return 0.0f;
        const Cell bin = cellOf<linear>(inMargin(u, a.bins)), row = cellOf<linear>(inMargin(v, a.rows));
        return sampleAt<linear>(Fetched<ShuffleVariant::rtk32, float>(a, p, bin), bin.fraction, row);
    });
}

// Lanes lie along z, which is the fastest index of the volume.
template <ShuffleVariant variant, class Value, bool linear, bool mirrored>
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
            ownU = inMargin(fmaf(fmaf(v.hx, x, fmaf(v.hy, y, v.h0)), ownF, v.hc), a.bins);
        }
        const int count = min(32, a.projections - first);
        for (int s = 0; s < count; ++s) {
            const float u = __shfl_sync(~0u, ownU, s), f = __shfl_sync(~0u, ownF, s);
            const ConeView& view = coneViews[first + s];
            const float v =
                inMargin(fmaf(fmaf(view.rx, x, fmaf(view.ry, y, fmaf(view.rz, z, view.r0))), f, view.rc), a.rows);
            if (isTexture<variant> && (isBeyond(u, a.bins) || isBeyond(v, a.rows)))
                continue;
            const Cell bin = cellOf<linear>(u);
            const Projection<variant, Value> near(a, first + s, bin);
            sum = fmaf(f * f, sampleAt<linear>(near, bin.fraction, cellOf<linear>(v)), sum);
            if constexpr (mirrored)
                mirror = fmaf(f * f, sampleAt<linear>(near, bin.fraction, cellOf<linear>(a.rows - 1 - v)), mirror);
        }
    }
    if (k >= a.endSlice)
        return;
    float* column = a.volume + (static_cast<std::size_t>(j) * a.width + i) * a.slices;
    column[k] += *a.unscale * sum;
    if (mirrored && a.slices - 1 - k != k)
        column[a.slices - 1 - k] += *a.unscale * mirror;
}

template <ShuffleVariant variant, class Value, bool linear>
void launchShuffle(const ConeArguments& a)
{
    const dim3 blocks((a.endSlice - a.firstSlice + 31) / 32, (a.width + 7) / 8, a.height);
    const auto kernel =
        a.mirrored ? coneShuffle<variant, Value, linear, true> : coneShuffle<variant, Value, linear, false>;
    noteLaunch(kernel, 32 * 8);
    kernel<<<blocks, dim3(32, 8), 0, a.stream>>>(a);
}

template <ShuffleVariant variant, bool linear>
void launchCached(const ConeArguments& a)
{
    a.half ? launchShuffle<variant, __half, linear>(a) : launchShuffle<variant, float, linear>(a);
}

template <bool linear>
void launchVariant(const ConeArguments& a, ShuffleVariant variant)
{
    switch (variant) {
    case ShuffleVariant::rtk32:
        noteLaunch(coneRtk32<linear>, 32 * 8);
        coneRtk32<linear><<<voxelBlocks(a), dim3(32, 8), 0, a.stream>>>(a);
        break;
    case ShuffleVariant::bpTex:
        launchShuffle<ShuffleVariant::bpTex, float, linear>(a);
        break;
    case ShuffleVariant::texTran:
        launchShuffle<ShuffleVariant::texTran, float, linear>(a);
        break;
    case ShuffleVariant::bpL1:
        launchCached<ShuffleVariant::bpL1, linear>(a);
        break;
    case ShuffleVariant::l1Tran:
        launchCached<ShuffleVariant::l1Tran, linear>(a);
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
    a.linear ? launchVariant<true>(a, variant) : launchVariant<false>(a, variant);
}

} // namespace engine::cuda
