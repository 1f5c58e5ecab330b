// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels that interpolate with the texture unit, in images of [projection][bin]. Also defined by the program: NEAREST,
// RAY_SPACE (constant or global memory), IMAGE_SAMPLES (if not 0, positions are rounded to one of so many samples per
// bin, a power of two, whose weights the texture unit has exactly: oversampled interpolation), HYBRID or STEP (leave the
// kernels out), Z_ORDER (Algorithm 2 in `standardPixels`).
// rays: start, perColumn and perRow of each projection of the launch: pixel (row, column) meets the projection at bin
// start + column * perColumn + row * perRow.
constant sampler_t sampler =
    CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | (NEAREST ? CLK_FILTER_NEAREST : CLK_FILTER_LINEAR);

Sum fetch(read_only image2d_t sinograms, float bin, float projection)
{
    return SLICES_OF(read_imagef(sinograms, sampler, (float2)(bin, projection)));
}

#if !defined(HYBRID) && !defined(STEP)
// One thread per pixel sums all projections (Chilingaryan et al. 2020, Algorithm 1).
kernel __attribute__((reqd_work_group_size(256, 1, 1))) void standardPixels(read_only image2d_t sinograms,
                                                                            constant float4* rays, int firstRay,
                                                                            int count, Shape shape,
                                                                            global const uint* largest,
                                                                            global float* out)
{
    const int thread = get_local_id(0);
#ifdef Z_ORDER // sixteen threads have 4 x 4 pixels along the Z curve
    const int column = get_group_id(0) * 16 + ((thread & 1) | ((thread >> 1) & 2)) + 4 * ((thread >> 4) & 3);
    const int row = get_group_id(1) * 16 + (((thread >> 1) & 1) | ((thread >> 2) & 2)) + 4 * (thread >> 6);
#else
    const int column = get_group_id(0) * 16 + thread % 16, row = get_group_id(1) * 16 + thread / 16;
#endif
    const int split = get_group_id(2);
    const int2 range = rangeOf(0, count, split, shape.splits);
    const float x = column, y = row;
    Sum sum = 0;
#pragma unroll 4
    for (int p = range.x; p < range.y; ++p) {
        const float4 ray = rays[p];
        const float h = fma(x, ray.y, fma(y, ray.z, ray.x));
        sum += fetch(sinograms, h + 0.5f, firstRay + p + 0.5f);
    }
    store(out, shape, shape.splits > 1 ? 1.0f : 1.0f / scaleOf(*largest), split, row, column, sum, firstRay > 0);
}
#endif

// Returns the sum of pixel (thread / 16, thread % 16) of a tile of 16 x 16 by 256 threads in a cache-aware order
// (Chilingaryan et al. 2020, Algorithms 2 and 3). The low four bits of a thread's index are its pixel of a 4 x 4 square
// in Z order, the next two select the square, the last two select which of four neighbouring projections it sums. A
// thread has four pixels, four rows apart. parts: 1024 sums.
Sum sumTextureTile(read_only image2d_t sinograms, RAY_SPACE const float4* rays, int firstRay, int2 range, int column0,
                   int row0, local Sum* parts)
{
    const int thread = get_local_id(0);
    const int x = ((thread & 1) | ((thread >> 1) & 2)) + 4 * ((thread >> 4) & 3);
    const int y = ((thread >> 1) & 1) | ((thread >> 2) & 2);
    const int part = thread >> 6;
    const float column = column0 + x, row = row0 + y;
    Sum sums[4] = {0, 0, 0, 0};
#pragma unroll 4
    for (int p = range.x + part; p < range.y; p += 4) {
        const float4 ray = rays[p];
        const float h = fma(column, ray.y, fma(row, ray.z, ray.x)) + 0.5f;
        const float v = firstRay + p + 0.5f;
#pragma unroll
        for (int q = 0; q < 4; ++q) {
            float at = fma(4.0f * q, ray.z, h);
#if IMAGE_SAMPLES > 0 // h is half a bin more than the position; the half is a whole number of samples
            at = ((fma(at, (float)IMAGE_SAMPLES, TIE_UP) + MAGIC) - MAGIC) * (1.0f / IMAGE_SAMPLES);
#endif
            sums[q] += fetch(sinograms, at, v);
        }
    }
#pragma unroll
    for (int q = 0; q < 4; ++q)
        parts[256 * part + 16 * (y + 4 * q) + x] = sums[q];
    barrier(CLK_LOCAL_MEM_FENCE);
    return parts[thread] + parts[256 + thread] + parts[512 + thread] + parts[768 + thread];
}

#if !defined(HYBRID) && !defined(STEP)
kernel __attribute__((reqd_work_group_size(256, 1, 1))) void textureTiles(read_only image2d_t sinograms,
                                                                          constant float4* rays, int firstRay,
                                                                          int count, Shape shape,
                                                                          global const uint* largest,
                                                                          global float* out)
{
    local Sum parts[1024];
    const int thread = get_local_id(0), split = get_group_id(2);
    const int column0 = get_group_id(0) * 16, row0 = get_group_id(1) * 16;
    const Sum sum = sumTextureTile(sinograms, rays, firstRay, rangeOf(0, count, split, shape.splits), column0, row0,
                                   parts);
    store(out, shape, shape.splits > 1 ? 1.0f : 1.0f / scaleOf(*largest), split, row0 + thread / 16,
          column0 + thread % 16, sum, firstRay > 0);
}
#endif
