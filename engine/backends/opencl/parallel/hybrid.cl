// SPDX-License-Identifier: GPL-3.0-or-later
// Some groups use the texture path and the others the arithmetic path, so that both units work simultaneously
// (Chilingaryan et al. 2020, section 7.1). Also defined by the program: EIGHTHS (of the groups that use the texture
// path), HYBRID_BYTES (of local memory: what the paths need, or more). Tiles are 32 x 32 pixels.

// Groups start on one unit after another, so each unit gets every kind in turn. Fixed, so that images are the same every
// time.
bool takesTexture(int units)
{
    const int group = get_group_id(0) + get_num_groups(0) * (get_group_id(1) + get_num_groups(1) * get_group_id(2));
    const int turn = (group % units + group / units) & 7;
    return (turn + 1) * EIGHTHS / 8 > turn * EIGHTHS / 8;
}

kernel __attribute__((reqd_work_group_size(256, 1, 1))) void hybridTiles(read_only image2d_t image,
                                                                         global const void* sinograms,
                                                                         global const Ray* rays,
                                                                         global const float4* singleRays, int count,
                                                                         int units, Shape shape,
                                                                         global const uint* largest, global float* out)
{
    local float4 memory[HYBRID_BYTES / 16];
    const int column0 = get_group_id(0) * COLUMNS, row0 = get_group_id(1) * ROWS, split = get_group_id(2);
    const int thread = get_local_id(0);
    const int2 range = rangeOf(0, count, split, shape.splits);
    const float scale = shape.splits > 1 ? 1.0f : 1.0f / scaleOf(*largest);
    if (takesTexture(units)) {
        for (int row = row0; row < row0 + ROWS; row += 16)
            for (int column = column0; column < column0 + COLUMNS; column += 16) {
                const Sum sum = sumTextureTile(image, singleRays, 0, range, column, row, (local Sum*)memory);
                store(out, shape, scale, split, row + thread / 16, column + thread % 16, sum, 0);
                barrier(CLK_LOCAL_MEM_FENCE); // the sums are overwritten by the next tile
            }
        return;
    }
    local char* segments = (local char*)memory;
    local float4* localRays = (local float4*)(segments + SEGMENTS_BYTES);
    Sum sums[PIXELS];
#pragma unroll
    for (int q = 0; q < PIXELS; ++q)
        sums[q] = 0;
    sumTile(sinograms, rays, range, shape, column0, row0, (local Entry*)segments, localRays,
            (local int*)(localRays + 3 * STAGE), sums);
#pragma unroll
    for (int q = 0; q < PIXELS; ++q)
        store(out, shape, scale, split, row0 + rowOf(thread) + ROW_STEP * q, column0 + columnOf(thread), sums[q], 0);
}
