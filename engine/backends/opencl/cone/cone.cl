// SPDX-License-Identifier: GPL-3.0-or-later
// Cone beams through the texture unit: one fetch serves as many voxels as the geometry has symmetries. Mirrored rows
// after Chen et al. 2019 (Theorem 1), opposite projections after Zhao et al., cited there. Defined by the program:
// VALUES (per texel: 1; 2, of rows v and R - 1 - v; or 4, of these rows of a projection and its opposite), DEEP (voxels
// of a column per thread), UPRIGHT (columns of voxels are parallel to the detector's), NEAREST, HALF.

// Projection matrix relative to the middle of the grid and to the point (hc, rc) of the detector.
typedef struct {
    float hx, hy, hz, h0;
    float rx, ry, rz, r0;
    float wx, wy, wz, w0;
    float hc, rc, spare0, spare1;
} View;

// The slices first...end - 1 of a grid. With mirrored rows they are of its upper half; their mirror slices follow them
// in memory, from the top.
typedef struct {
    int width, height, slices, first, end, projections;
} Slab;

// Makes [projection][row][bin][value] of filtered rows [row][projection][bin]; 0 beyond the detector's rows. For four
// values the projections are the first ones of all pairs, then the second ones.
kernel __attribute__((reqd_work_group_size(256, 1, 1))) void storeLayers(global const float* filtered, int rows,
                                                                         int projections, int bins, int storedRows,
                                                                         global const uint* largest, global void* out)
{
    const int bin = get_global_id(0), row = get_global_id(1), p = get_global_id(2);
    if (bin >= bins)
        return;
    const float scale = scaleOf(*largest);
    const size_t to = (((size_t)p * storedRows + row) * bins + bin) * CHANNELS;
    for (int c = 0; c < CHANNELS; ++c) {
        const int from = c % 2 == 0 ? row : rows - 1 - row;
        const int projection = c < 2 ? p : p + projections / 2;
        const bool isThere = c < VALUES && from >= 0 && from < rows;
        const float value = isThere ? filtered[((size_t)from * projections + projection) * bins + bin] * scale : 0.0f;
#if HALF
        vstore_half_rte(value, to + c, (global half*)out);
#else
        ((global float*)out)[to + c] = value;
#endif
    }
}

constant sampler_t sampler =
    CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | (NEAREST ? CLK_FILTER_NEAREST : CLK_FILTER_LINEAR);

// Returns 1/x, accurate to two units in the last place.
float reciprocal(float x)
{
#ifdef __NV_CL_C_VERSION
    return native_recip(x); // accurate to one unit there
#else
    return 1.0f / x;
#endif
}

float4 fetch(read_only image2d_array_t layers, float bin, float row, int projection)
{
    return read_imagef(layers, sampler, (float4)(bin, row, projection, 0));
}

// Adds to the voxel in a slice of the slab, counted from its first.
void add(global float* volume, Slab slab, int i, int j, int slice, float sum)
{
    volume[((size_t)slice * slab.height + j) * slab.width + i] += sum;
}

// Place of the mirror slice of `slice` in memory.
int mirrorPlace(Slab slab, int slice)
{
    return 2 * slab.end - slab.first - 1 - slice;
}

// Pixel of a thread. Groups have 16 pixels across; 32 threads have 8 x 4. Four consecutive threads are a square of
// 2 x 2, whose fetches meet the fewest texels.
int2 pixelOf(int thread, int height)
{
    const int group = thread / 32, lane = thread % 32;
    return (int2)(get_group_id(0) * 16 + group % 2 * 8 + (lane & 1) + (lane >> 2 & 1) * 2 + (lane >> 4) * 4,
                  get_group_id(1) * height + group / 2 * 4 + (lane >> 1 & 1) + (lane >> 3 & 1) * 2);
}

#if VALUES <= 2
// 16 x 16 pixels, DEEP voxels deep, by 256 threads.
kernel __attribute__((reqd_work_group_size(256, 1, 1))) void coneVoxels(read_only image2d_array_t layers,
                                                                        constant View* views, Slab slab,
                                                                        global const uint* largest,
                                                                        global float* volume)
{
    const int2 pixel = pixelOf(get_local_id(0), 16);
    const int first = slab.first + get_group_id(2) * DEEP;
    const float x = pixel.x - 0.5f * (slab.width - 1), y = pixel.y - 0.5f * (slab.height - 1);
    const float z = first - 0.5f * (slab.slices - 1);
    float2 sums[DEEP];
#pragma unroll
    for (int k = 0; k < DEEP; ++k)
        sums[k] = 0;
#pragma unroll 2
    for (int p = 0; p < slab.projections; ++p) {
        constant View* view = views + p;
        const float w = fma(view->wx, x, fma(view->wy, y, view->w0));
        const float h = fma(view->hx, x, fma(view->hy, y, view->h0));
        const float r = fma(view->rx, x, fma(view->ry, y, view->r0));
#if UPRIGHT
        const float f = reciprocal(w), weight = f * f, step = view->rz * f;
        const float bin = fma(h, f, view->hc + 0.5f), row = fma(step, z, fma(r, f, view->rc + 0.5f));
#pragma unroll
        for (int k = 0; k < DEEP; ++k)
            sums[k] = fma((float2)(weight), fetch(layers, bin, fma(step, (float)k, row), p).xy, sums[k]);
#else
#pragma unroll
        for (int k = 0; k < DEEP; ++k) {
            const float f = reciprocal(fma(view->wz, z + k, w));
            const float bin = fma(fma(view->hz, z + k, h), f, view->hc + 0.5f);
            const float row = fma(fma(view->rz, z + k, r), f, view->rc + 0.5f);
            sums[k] = fma((float2)(f * f), fetch(layers, bin, row, p).xy, sums[k]);
        }
#endif
    }
    if (pixel.x >= slab.width || pixel.y >= slab.height)
        return;
    const float unscale = 1.0f / scaleOf(*largest);
#pragma unroll
    for (int k = 0; k < DEEP; ++k) {
        const int slice = first + k;
        if (slice >= slab.end)
            return;
        add(volume, slab, pixel.x, pixel.y, slice - slab.first, unscale * sums[k].x);
#if VALUES == 2
        if (slab.slices - 1 - slice != slice)
            add(volume, slab, pixel.x, pixel.y, mirrorPlace(slab, slice), unscale * sums[k].y);
#endif
    }
}
#else
// The opposite projection sees (-x, -y) where this one sees (x, y). A thread holds the columns at both places; each of
// its two fetches updates the same four voxels. 16 x 8 pixels of the upper half of a slice by 128 threads.
kernel __attribute__((reqd_work_group_size(128, 1, 1))) void coneVoxels(read_only image2d_array_t layers,
                                                                        constant View* views, Slab slab,
                                                                        global const uint* largest,
                                                                        global float* volume)
{
    const int2 pixel = pixelOf(get_local_id(0), 8);
    const int first = slab.first + get_group_id(2) * DEEP;
    const float x = pixel.x - 0.5f * (slab.width - 1), y = pixel.y - 0.5f * (slab.height - 1);
    const float z = first - 0.5f * (slab.slices - 1);
    float2 here[DEEP], there[DEEP]; // above and below the middle
#pragma unroll
    for (int k = 0; k < DEEP; ++k)
        here[k] = there[k] = 0;
#pragma unroll 1
    for (int p = 0; p < slab.projections; ++p) {
        constant View* view = views + p;
        const float w = fma(view->wx, x, view->wy * y), h = fma(view->hx, x, view->hy * y);
        const float r = fma(view->rx, x, view->ry * y);
        {
            const float f = reciprocal(view->w0 + w), weight = f * f, step = view->rz * f;
            const float bin = fma(view->h0 + h, f, view->hc + 0.5f);
            const float row = fma(step, z, fma(view->r0 + r, f, view->rc + 0.5f));
#pragma unroll
            for (int k = 0; k < DEEP; ++k) {
                const float4 texel = fetch(layers, bin, fma(step, (float)k, row), p);
                here[k] = fma((float2)(weight), texel.xy, here[k]);
                there[k] = fma((float2)(weight), texel.zw, there[k]);
            }
        }
        {
            const float f = reciprocal(view->w0 - w), weight = f * f, step = view->rz * f;
            const float bin = fma(view->h0 - h, f, view->hc + 0.5f);
            const float row = fma(step, z, fma(view->r0 - r, f, view->rc + 0.5f));
#pragma unroll
            for (int k = 0; k < DEEP; ++k) {
                const float4 texel = fetch(layers, bin, fma(step, (float)k, row), p);
                there[k] = fma((float2)(weight), texel.xy, there[k]);
                here[k] = fma((float2)(weight), texel.zw, here[k]);
            }
        }
    }
    // In a middle row only threads of the left half write: they also write the opposite pixels, in the right half.
    const int oppositeX = slab.width - 1 - pixel.x, oppositeY = slab.height - 1 - pixel.y;
    if (pixel.x >= slab.width || pixel.y > oppositeY || (pixel.y == oppositeY && pixel.x > oppositeX))
        return;
    const bool isAlone = pixel.y == oppositeY && pixel.x == oppositeX;
    const float unscale = 1.0f / scaleOf(*largest);
#pragma unroll
    for (int k = 0; k < DEEP; ++k) {
        const int slice = first + k;
        if (slice >= slab.end)
            return;
        const int place = slice - slab.first, mirror = mirrorPlace(slab, slice);
        const bool isMiddle = slab.slices - 1 - slice == slice;
        add(volume, slab, pixel.x, pixel.y, place, unscale * here[k].x);
        if (!isMiddle)
            add(volume, slab, pixel.x, pixel.y, mirror, unscale * here[k].y);
        if (isAlone)
            continue;
        add(volume, slab, oppositeX, oppositeY, place, unscale * there[k].x);
        if (!isMiddle)
            add(volume, slab, oppositeX, oppositeY, mirror, unscale * there[k].y);
    }
}
#endif
