// SPDX-License-Identifier: GPL-3.0-or-later
// What a ramp filter does beside its Fourier transforms. Rows are lines of the detector, [row][bin], whose projection
// is row % projections. Two rows are the real and imaginary parts of a complex row (Chilingaryan et al. 2018, section
// II). Defined by the program: PAD (0: zeros, 1: the last bins, 2: the shadow of a cylinder).

// Extension of a row beyond the detector: Cylinder in cylinder.h.
typedef struct {
    float square, reach;
} Cylinder;

// Fits the cylinder at one end of a row. step: 1 if the neighbours of `margin` in the row have higher addresses.
Cylinder cylinderAt(global const float* margin, int step, int bins, int room)
{
    const int count = min(max(bins / 32, 4), bins);
    const float middle = (count - 1) / 2.0f, squares = middle * (middle + 1) * count / 3;
    float sum = 0, slopes = 0;
    for (int k = 0; k < count; ++k) {
        const float value = margin[k * step], q = value < 0 ? -value * value : value * value;
        sum += q;
        slopes += (k - middle) * q;
    }
    const float slope = squares > 0 ? slopes / squares : 0;
    Cylinder made;
    made.square = sum / count - slope * middle;
    made.reach = max(room, 1);
    if (slope > 0 && made.square < slope * made.reach)
        made.reach = made.square / slope;
    return made;
}

float shadowOf(Cylinder cylinder, int distance)
{
    const float left = cylinder.reach - distance;
    return cylinder.square > 0 && left > 0 ? sqrt(cylinder.square * left / cylinder.reach) : 0.0f;
}

// Makes complex rows of pairs of rows, one group of threads each, the first from row firstRow on. Bins beyond the
// detector follow the last one; from the middle of the padding on they precede bin 0, because rows are circular.
kernel __attribute__((reqd_work_group_size(256, 1, 1))) void padPairs(global const float* rows, ulong firstRow,
                                                                      ulong allRows, int bins, int padded,
                                                                      global float2* out)
{
    const ulong a = firstRow + 2 * get_group_id(0), b = a + 1;
    const bool hasA = a < allRows, hasB = b < allRows;
    global const float *first = rows + (hasA ? a : 0) * bins, *second = rows + (hasB ? b : 0) * bins;
    const int halfWay = bins + (padded - bins) / 2;
#if PAD == 2
    local Cylinder ends[4]; // right and left of the first row, then of the second
    if (get_local_id(0) < 4) {
        const int k = get_local_id(0);
        global const float* row = k < 2 ? first : second;
        ends[k] = k % 2 == 0 ? cylinderAt(row + bins - 1, -1, bins, halfWay - bins)
                             : cylinderAt(row, 1, bins, padded - halfWay);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    for (int i = get_local_id(0); i < padded; i += 256) {
        float2 value = 0;
        if (i < bins)
            value = (float2)(first[i], second[i]);
#if PAD == 1
        else
            value = i < halfWay ? (float2)(first[bins - 1], second[bins - 1]) : (float2)(first[0], second[0]);
#elif PAD == 2
        else {
            const int end = i < halfWay ? 0 : 1, distance = i < halfWay ? i - bins + 1 : padded - i;
            value = (float2)(shadowOf(ends[end], distance), shadowOf(ends[2 + end], distance));
        }
#endif
        out[(size_t)get_group_id(0) * padded + i] = (float2)(hasA ? value.x : 0.0f, hasB ? value.y : 0.0f);
    }
}

// Multiplies complex rows with the response at their frequencies, of which [padded / 2 + 1] are given.
kernel __attribute__((reqd_work_group_size(256, 1, 1))) void multiplyPairs(global float2* pairs,
                                                                           global const float* response, int padded)
{
    global float2* row = pairs + (size_t)get_group_id(0) * padded;
    for (int i = get_local_id(0); i < padded; i += 256)
        row[i] *= response[min(i, padded - i)];
}

// Takes the bins of the detector back from pairs of rows, and weights them.
kernel __attribute__((reqd_work_group_size(256, 1, 1))) void takePairs(global const float2* pairs, ulong firstRow,
                                                                       ulong allRows, int projections, int bins,
                                                                       int padded, global const float* weights,
                                                                       global float* rows)
{
    const ulong a = firstRow + 2 * get_group_id(0), b = a + 1;
    const bool hasA = a < allRows, hasB = b < allRows;
    const float weightA = weights[a % projections], weightB = weights[b % projections];
    global const float2* pair = pairs + (size_t)get_group_id(0) * padded;
    for (int i = get_local_id(0); i < bins; i += 256) {
        const float2 value = pair[i];
        if (hasA)
            rows[a * bins + i] = value.x * weightA;
        if (hasB)
            rows[b * bins + i] = value.y * weightB;
    }
}

// Weights rows that no filter changes.
kernel __attribute__((reqd_work_group_size(256, 1, 1))) void weightRows(global float* rows, int projections, int bins,
                                                                        global const float* weights)
{
    const size_t row = get_group_id(0);
    for (int i = get_local_id(0); i < bins; i += 256)
        rows[row * bins + i] *= weights[row % projections];
}

// Multiplies rows of a cone beam, [row][projection][bin] from the detector's row firstRow on, by cosine and redundancy
// (RayWeights). central: bin, row, 1/lengthBins and 1/lengthRows, of all projections or of each; rays: how many.
// shares: [projection][bin] if hasShares.
kernel __attribute__((reqd_work_group_size(256, 1, 1))) void weighCone(global float* rows,
                                                                       global const float4* central, int rays,
                                                                       global const float* shares, int hasShares,
                                                                       int firstRow, int projections, int bins)
{
    const int bin = get_global_id(0), projection = get_group_id(1), row = get_group_id(2);
    if (bin >= bins)
        return;
    float weight = 1;
    if (rays > 0) {
        const float4 ray = central[rays > 1 ? projection : 0];
        const float u = (bin - ray.x) * ray.z, v = (firstRow + row - ray.y) * ray.w;
        weight = 1 / sqrt(1 + u * u + v * v);
    }
    if (hasShares)
        weight *= shares[(size_t)projection * bins + bin];
    rows[((size_t)row * projections + projection) * bins + bin] *= weight;
}
