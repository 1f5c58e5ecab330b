// SPDX-License-Identifier: GPL-3.0-or-later
// Method `texture` for cone beams: the texture unit interpolates, and one fetch serves as many voxels as the geometry
// has symmetries. A thread holds a few voxels of a column. The lanes of a warp are 8 × 4 pixels of a slice, whose
// rays meet the same small patch of a projection. Texels of several values after Chilingaryan et al. 2020 (section
// 5.3); mirrored rows after Chen et al. 2019 (Theorem 1); opposite projections after Zhao et al., cited there.
#include "engine/backends/cuda/cone/cone_views.cuh"
#include "engine/backends/cuda/device/launched_kernel.h"

namespace engine::cuda
{

namespace
{

// Pixel of a thread. Blocks are 16 pixels wide, in warps of 8 × 4. Four consecutive lanes are a square of 2 × 2,
// whose fetches meet the fewest texels: 3500 instead of 3050 GU/s (tests/bench/results/h200-cones.md).
template <int warps>
struct ConePixel {
    static constexpr int width = 16, height = 2 * warps;
    int i, j;

    __device__ ConePixel()
    {
        const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
        i = blockIdx.x * width + warp % 2 * 8 + (lane & 1) + (lane >> 2 & 1) * 2 + (lane >> 4) * 4;
        j = blockIdx.y * height + warp / 2 * 4 + (lane >> 1 & 1) + (lane >> 3 & 1) * 2;
    }
    static dim3 blocks(int pixelsAcross, int pixelsDown, int deep)
    {
        return {static_cast<unsigned>((pixelsAcross + width - 1) / width),
                static_cast<unsigned>((pixelsDown + height - 1) / height), static_cast<unsigned>(deep)};
    }
};
constexpr int textureWarps = 8, fourfoldWarps = 4; // as measured fastest

template <int values>
struct Texel;
template <>
struct Texel<1> {
    float v[1];
    __device__ static Texel fetch(cudaTextureObject_t t, float x, float y, int p)
    {
        return {{tex2DLayered<float>(t, x, y, p)}};
    }
};
template <>
struct Texel<2> {
    float v[2];
    __device__ static Texel fetch(cudaTextureObject_t t, float x, float y, int p)
    {
        const float2 f = tex2DLayered<float2>(t, x, y, p);
        return {{f.x, f.y}};
    }
};

// values: 1 without symmetry, 2 for mirrored rows. deep: voxels per thread.
template <int values, int deep, bool upright>
__global__ void __launch_bounds__(32 * textureWarps) coneTexture(const __grid_constant__ ConeArguments a)
{
    const ConePixel<textureWarps> pixel;
    const int first = a.firstSlice + blockIdx.z * deep;
    const float x = pixel.i - 0.5f * (a.width - 1), y = pixel.j - 0.5f * (a.height - 1);
    const float z = first - 0.5f * (a.slices - 1);
    float sums[deep][values] = {};
#pragma unroll 2
    for (int p = 0; p < a.projections; ++p) {
        const ConeView& view = coneViews[p];
        const float w = fmaf(view.wx, x, fmaf(view.wy, y, view.w0));
        const float h = fmaf(view.hx, x, fmaf(view.hy, y, view.h0));
        const float r = fmaf(view.rx, x, fmaf(view.ry, y, view.r0));
        if constexpr (upright) {
            const float f = reciprocal(w), weight = f * f, step = view.rz * f;
            const float bin = fmaf(h, f, view.hc + 0.5f), row = fmaf(step, z, fmaf(r, f, view.rc + 0.5f));
#pragma unroll
            for (int k = 0; k < deep; ++k) {
                const auto texel = Texel<values>::fetch(a.texture, bin, fmaf(step, static_cast<float>(k), row), p);
#pragma unroll
                for (int v = 0; v < values; ++v)
                    sums[k][v] = fmaf(weight, texel.v[v], sums[k][v]);
            }
        } else {
#pragma unroll
            for (int k = 0; k < deep; ++k) {
                const float f = reciprocal(fmaf(view.wz, z + k, w));
                const float bin = fmaf(fmaf(view.hz, z + k, h), f, view.hc + 0.5f);
                const float row = fmaf(fmaf(view.rz, z + k, r), f, view.rc + 0.5f);
                const auto texel = Texel<values>::fetch(a.texture, bin, row, p);
                sums[k][0] = fmaf(f * f, texel.v[0], sums[k][0]);
            }
        }
    }
    if (pixel.i >= a.width || pixel.j >= a.height)
        return;
    const float unscale = *a.unscale;
    const auto add = [&](int i, int j, int k, float sum) {
        a.volume[(static_cast<std::size_t>(k) * a.height + j) * a.width + i] += unscale * sum;
    };
#pragma unroll
    for (int k = 0; k < deep; ++k) {
        const int slice = first + k, other = a.slices - 1 - slice;
        if (slice >= a.endSlice)
            return;
        add(pixel.i, pixel.j, slice, sums[k][0]);
        if constexpr (values >= 2)
            if (other != slice)
                add(pixel.i, pixel.j, other, sums[k][1]);
    }
}

// Kernel for four values per texel. The opposite projection sees (−x, −y) where this one sees (x, y). A thread holds
// the columns at both places. Each of its two fetches updates the same four voxels.
template <int deep>
__global__ void __launch_bounds__(32 * fourfoldWarps) coneFourfold(const __grid_constant__ ConeArguments a)
{
    const ConePixel<fourfoldWarps> pixel;
    const int first = a.firstSlice + blockIdx.z * deep;
    const float x = pixel.i - 0.5f * (a.width - 1), y = pixel.j - 0.5f * (a.height - 1);
    const float z = first - 0.5f * (a.slices - 1);
    float here[deep][2] = {}, there[deep][2] = {}; // [voxel][above, below the middle]
#pragma unroll 1
    for (int p = 0; p < a.projections; ++p) {
        const ConeView& view = coneViews[p];
        const float w = fmaf(view.wx, x, view.wy * y), h = fmaf(view.hx, x, view.hy * y),
                    r = fmaf(view.rx, x, view.ry * y);
        const auto addFrom = [&](float sign, float(&own)[deep][2], float(&other)[deep][2]) {
            const float f = reciprocal(fmaf(sign, w, view.w0)), weight = f * f, step = view.rz * f;
            const float bin = fmaf(fmaf(sign, h, view.h0), f, view.hc + 0.5f);
            const float row = fmaf(step, z, fmaf(fmaf(sign, r, view.r0), f, view.rc + 0.5f));
#pragma unroll
            for (int k = 0; k < deep; ++k) {
                const float4 texel = tex2DLayered<float4>(a.texture, bin, fmaf(step, static_cast<float>(k), row), p);
                own[k][0] = fmaf(weight, texel.x, own[k][0]);
                own[k][1] = fmaf(weight, texel.y, own[k][1]);
                other[k][0] = fmaf(weight, texel.z, other[k][0]);
                other[k][1] = fmaf(weight, texel.w, other[k][1]);
            }
        };
        addFrom(1, here, there);
        addFrom(-1, there, here);
    }
    // In a middle row only threads of the left half write: they also write the opposite pixels, in the right half.
    const int oppositeI = a.width - 1 - pixel.i, oppositeJ = a.height - 1 - pixel.j;
    if (pixel.i >= a.width || pixel.j > oppositeJ || (pixel.j == oppositeJ && pixel.i > oppositeI))
        return;
    const bool alone = pixel.j == oppositeJ && pixel.i == oppositeI;
    const float unscale = *a.unscale;
    const auto add = [&](int i, int j, int k, float sum) {
        a.volume[(static_cast<std::size_t>(k) * a.height + j) * a.width + i] += unscale * sum;
    };
#pragma unroll
    for (int k = 0; k < deep; ++k) {
        const int slice = first + k, below = a.slices - 1 - slice;
        if (slice >= a.endSlice)
            return;
        add(pixel.i, pixel.j, slice, here[k][0]);
        if (!alone)
            add(oppositeI, oppositeJ, slice, there[k][0]);
        if (below == slice)
            continue;
        add(pixel.i, pixel.j, below, here[k][1]);
        if (!alone)
            add(oppositeI, oppositeJ, below, there[k][1]);
    }
}

template <int deep>
void launchFourfold(const ConeArguments& a)
{
    const dim3 blocks =
        ConePixel<fourfoldWarps>::blocks(a.width, (a.height + 1) / 2, (a.endSlice - a.firstSlice + deep - 1) / deep);
    noteLaunch(coneFourfold<deep>, 32 * fourfoldWarps);
    coneFourfold<deep><<<blocks, 32 * fourfoldWarps, 0, a.stream>>>(a);
    SINOSCOPE_CUDA_LAUNCHED();
}

template <int values, int deep, bool upright>
void launchTexture(const ConeArguments& a)
{
    const dim3 blocks =
        ConePixel<textureWarps>::blocks(a.width, a.height, (a.endSlice - a.firstSlice + deep - 1) / deep);
    noteLaunch(coneTexture<values, deep, upright>, 32 * textureWarps);
    coneTexture<values, deep, upright><<<blocks, 32 * textureWarps, 0, a.stream>>>(a);
    SINOSCOPE_CUDA_LAUNCHED();
}

} // namespace

void launchConeTexture(const ConeArguments& a, ConeLayout layout)
{
    setConeViews(a);
    const bool one = a.deep == 1;
    if (layout == ConeLayout::fourfold)
        one ? launchFourfold<1>(a) : launchFourfold<4>(a);
    else if (layout == ConeLayout::mirrored)
        one ? launchTexture<2, 1, true>(a) : launchTexture<2, 8, true>(a);
    else if (a.upright)
        one ? launchTexture<1, 1, true>(a) : launchTexture<1, 8, true>(a);
    else
        one ? launchTexture<1, 1, false>(a) : launchTexture<1, 8, false>(a);
}

} // namespace engine::cuda
