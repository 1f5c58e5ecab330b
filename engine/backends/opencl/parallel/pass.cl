// SPDX-License-Identifier: GPL-3.0-or-later
// What comes before and after the back-projection of a pass.

// Finds the largest finite magnitude, as bits. largest: 0 before.
kernel __attribute__((reqd_work_group_size(256, 1, 1))) void findLargest(global const float* raw, ulong count,
                                                                         global uint* largest)
{
    local uint found;
    if (get_local_id(0) == 0)
        found = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint own = 0;
    for (ulong i = get_global_id(0); i < count; i += get_global_size(0)) {
        const uint size = as_uint(raw[i]) & 0x7fffffff;
        own = size < 0x7f800000 ? max(own, size) : own;
    }
    atomic_max(&found, own);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        atomic_max(largest, found);
}

// Makes [projection][bin][channel] of `present` sinograms [slice][projection][bin]; the other channels are 0.
kernel __attribute__((reqd_work_group_size(256, 1, 1))) void interleave(global const float* raw, int present,
                                                                        ulong count, global const uint* largest,
                                                                        global void* out)
{
    const ulong i = get_global_id(0);
    if (i >= count)
        return;
    const float scale = scaleOf(*largest);
    for (int s = 0; s < CHANNELS; ++s) {
        const float value = s < present ? raw[s * count + i] * scale : 0.0f;
#if HALF
        vstore_half_rte(value, i * CHANNELS + s, (global half*)out);
#else
        ((global float*)out)[i * CHANNELS + s] = value;
#endif
    }
}

// Adds the splits in their order, so that the result is the same every time.
kernel __attribute__((reqd_work_group_size(256, 1, 1))) void sumSplits(global const float* partial, global float* image,
                                                                       ulong count, int splits,
                                                                       global const uint* largest)
{
    const ulong i = get_global_id(0);
    if (i >= count)
        return;
    float sum = 0;
    for (int k = 0; k < splits; ++k)
        sum += partial[k * count + i];
    image[i] = sum / scaleOf(*largest);
}
