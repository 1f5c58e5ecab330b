// SPDX-License-Identifier: GPL-3.0-or-later
// Steps of `texture` as Chilingaryan et al. 2020 print them (Algorithms 3 and 5); Algorithm 2 is `standardPixels` with
// Z_ORDER. Algorithm 4 reduces by shuffles, which OpenCL 1.2 doesn't have. Groups have 16 x 16 pixels and 256 threads.
// Also defined by the program: STEP.

// The low four bits of a thread's index are its pixel of a 4 x 4 square along the Z curve, the next two its square.
int stepColumn(int thread)
{
    return 4 * ((thread >> 4) & 3) + ((thread & 1) | ((thread >> 1) & 2));
}
int stepRow(int thread)
{
    return ((thread >> 1) & 1) | ((thread >> 2) & 2);
}

// Adds projection v - 0.5 to four pixels of a thread, four rows apart. start, perColumn and perRow as in the rays.
void addToFour(read_only image2d_t sinograms, float start, float perColumn, float perRow, float column, float row,
               float v, Sum* sums)
{
    float h = fma(column, perColumn, fma(row, perRow, start)) + 0.5f;
#pragma unroll
    for (int q = 0; q < 4; ++q, h += 4 * perRow)
        sums[q] += fetch(sinograms, h, v);
}

// Adds the sums of the four parts and stores them, sixteen pixels of a row at a time. parts: 256 sums, result: too.
void reduceAndStore(const Sum* sums, local Sum* parts, local Sum* result, global float* out, Shape shape, float scale,
                    int more)
{
    const int thread = get_local_id(0), of = thread % 4, pixel = thread / 4;
    for (int q = 0; q < 4; ++q) {
        parts[4 * (16 * stepRow(thread) + stepColumn(thread)) + (thread >> 6)] = sums[q];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int distance = 2; distance >= 1; distance /= 2) {
            if (of < distance)
                parts[4 * pixel + of] += parts[4 * pixel + of + distance];
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (of == 0)
            result[64 * q + pixel] = parts[4 * pixel];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    store(out, shape, scale, get_group_id(2), get_group_id(1) * 16 + thread / 16, get_group_id(0) * 16 + thread % 16,
          result[thread], more);
}

// Algorithm 3: the last two bits of a thread's index select which of four neighbouring projections it sums.
kernel __attribute__((reqd_work_group_size(256, 1, 1))) void fourProjections(read_only image2d_t sinograms,
                                                                             RAY_SPACE const float4* rays,
                                                                             int firstRay, int count, Shape shape,
                                                                             global const uint* largest,
                                                                             global float* out)
{
    local Sum parts[256], result[256];
    const int thread = get_local_id(0);
    const float column = get_group_id(0) * 16 + stepColumn(thread), row = get_group_id(1) * 16 + stepRow(thread);
    const int2 range = rangeOf(0, count, get_group_id(2), shape.splits);
    Sum sums[4] = {0, 0, 0, 0};
#pragma unroll 4
    for (int p = range.x + (thread >> 6); p < range.y; p += 4) {
        const float4 ray = rays[p];
        addToFour(sinograms, ray.x, ray.y, ray.z, column, row, firstRay + p + 0.5f, sums);
    }
    reduceAndStore(sums, parts, result, out, shape, shape.splits > 1 ? 1.0f : 1.0f / scaleOf(*largest), firstRay > 0);
}

// Algorithm 5: the constants come from global memory, 256 projections at a time, and lie in local memory.
kernel __attribute__((reqd_work_group_size(256, 1, 1))) void localConstants(read_only image2d_t sinograms,
                                                                            RAY_SPACE const float4* rays, int firstRay,
                                                                            int count, Shape shape,
                                                                            global const uint* largest,
                                                                            global float* out)
{
    local Sum parts[256], result[256];
    local float2 sines[256];
    local float starts[256];
    const int thread = get_local_id(0);
    const float column = get_group_id(0) * 16 + stepColumn(thread), row = get_group_id(1) * 16 + stepRow(thread);
    const int2 range = rangeOf(0, count, get_group_id(2), shape.splits);
    Sum sums[4] = {0, 0, 0, 0};
    for (int begin = range.x; begin < range.y; begin += 256) {
        if (begin + thread < range.y) {
            const float4 ray = rays[begin + thread];
            sines[thread] = ray.yz;
            starts[thread] = ray.x;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        const int present = min(256, range.y - begin);
#pragma unroll 4
        for (int p = thread >> 6; p < present; p += 4)
            addToFour(sinograms, starts[p], sines[p].x, sines[p].y, column, row, firstRay + begin + p + 0.5f, sums);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    reduceAndStore(sums, parts, result, out, shape, shape.splits > 1 ? 1.0f : 1.0f / scaleOf(*largest), firstRay > 0);
}
