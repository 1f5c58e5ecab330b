// SPDX-License-Identifier: GPL-3.0-or-later
// Planes from cone beams. The texture unit interpolates between bins; the kernel interpolates between two of the four
// rows of a texel, in full precision.
#include "engine/backproject/plane/cuda/plane_tile.cuh"

namespace engine::cuda
{

namespace
{

constexpr float roundsToWhole = 12582912.0f; // 1.5·2²³: its sum with a number below 2²² is rounded to a whole number
constexpr unsigned roundsToWholeBits = 0x4b400000u;

// Returns 1/x, accurate to one unit in the last place.
__device__ inline float planeReciprocal(float x)
{
    float y;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

// The group of a row, and the row's place in it, 0 … 3. Rows beyond ±2²² are in no group that exists, because the bits
// of a sum with roundsToWhole grow with the sum.
template <bool linear>
struct ConeRow {
    unsigned group;
    float within;

    // row: counted from the first row of the view's group.
    __device__ ConeRow(float row, int viewGroup)
    {
        if constexpr (!linear)
            row = floorf(row + 0.5f);
        // Rounds to the nearest: the middle of a group is far from its neighbours.
        const float sum = fmaf(row, 1.0f / rowsPerGroup, linear ? -0.5f : -1.0f / 3) + roundsToWhole;
        group = __float_as_uint(sum) - roundsToWholeBits + viewGroup;
        within = fmaf(-static_cast<float>(rowsPerGroup), sum - roundsToWhole, row);
    }

    __device__ float of(const float4& texel) const
    {
        if constexpr (!linear)
            return within < 0.5f ? texel.x : within < 1.5f ? texel.y : texel.z;
        const bool inFirst = within < 1, inSecond = within < 2;
        const float here = inFirst ? texel.x : inSecond ? texel.y : texel.z;
        const float next = inFirst ? texel.y : inSecond ? texel.z : texel.w;
        const float share = within - (inFirst ? 0.0f : inSecond ? 1.0f : 2.0f);
        return fmaf(share, next - here, here);
    }
};

// stacked: the detector has more groups of rows than a texture has layers.
template <int pixels, bool linear, bool stacked>
__global__ void __launch_bounds__(planeThreads) sumConePlane(const __grid_constant__ ConePlaneArguments a)
{
    using Tile = PlaneTile<pixels>;
    const PlaneTarget& target = a.target;
    const Tile tile;
    const float x = tile.column - 0.5f * (target.width - 1), y = tile.row - 0.5f * (target.height - 1);
    float sums[pixels] = {};
#pragma unroll 2
    for (int v = 0; v < target.count; ++v) {
        const ConePlaneView& view = a.views[v];
        const float h = fmaf(view.hx, x, fmaf(view.hy, y, view.h)), r = fmaf(view.rx, x, fmaf(view.ry, y, view.r)),
                    w = fmaf(view.wx, x, fmaf(view.wy, y, view.w)), down = fmaf(v, target.yStep, target.firstY);
#pragma unroll
        for (int q = 0; q < pixels; ++q) {
            const auto at = [&](float first, float perColumn, float perRow) {
                return fmaf(perColumn, Tile::right(q), fmaf(perRow, Tile::down(q), first));
            };
            const float distance = at(w, view.wx, view.wy), f = planeReciprocal(distance);
            const float bin = fmaf(at(h, view.hx, view.hy), f, view.bin);
            const ConeRow<linear> row(at(r, view.rx, view.ry) * f, view.group);
            const bool exists = distance > 0 && row.group < static_cast<unsigned>(target.groups);
            int layer = static_cast<int>(row.group);
            float stackY = down;
            if constexpr (stacked) {
                layer = static_cast<int>(row.group % mostLayers);
                stackY = fmaf(static_cast<float>(row.group / mostLayers % 16), target.stackHeight, down);
            }
            const float4 texel = tex2DLayered<float4>(target.texture, bin, stackY, layer);
            const float sum = fmaf(view.unscale * (f * f), row.of(texel), sums[q]);
            sums[q] = exists ? sum : sums[q];
        }
    }
#pragma unroll
    for (int q = 0; q < pixels; ++q)
        addToPixel(target, tile.column + Tile::right(q), tile.row + Tile::down(q), sums[q]);
}

template <int pixels, bool linear, bool stacked>
void launchConeTiles(const ConePlaneArguments& a)
{
    noteLaunch(sumConePlane<pixels, linear, stacked>, planeThreads);
    sumConePlane<pixels, linear, stacked><<<PlaneTile<pixels>::blocks(a.target), planeThreads, 0, a.target.stream>>>(a);
    SINOSCOPE_CUDA_LAUNCHED();
}

template <int pixels>
void launchConeOf(const ConePlaneArguments& a)
{
    const bool stacked = a.target.groups > mostLayers;
    if (a.target.linear)
        stacked ? launchConeTiles<pixels, true, true>(a) : launchConeTiles<pixels, true, false>(a);
    else
        stacked ? launchConeTiles<pixels, false, true>(a) : launchConeTiles<pixels, false, false>(a);
}

} // namespace

void launchConePlane(const ConePlaneArguments& arguments)
{
    if (fillsDevice(PlaneTile<4>::blockCount(arguments.target), arguments.target))
        launchConeOf<4>(arguments);
    else
        launchConeOf<1>(arguments);
}

} // namespace engine::cuda
