// SPDX-License-Identifier: GPL-3.0-or-later
// Bins in local memory, interpolated by the arithmetic units (Chilingaryan et al. 2020, Algorithms 6 to 9). Also defined
// by the program: MODE (0 nearest, 1 linear, 2 oversampled, 3 cubic), SAMPLES (per bin, of oversampled), COLUMNS and
// ROWS (of a tile), BINS (that a tile can meet, see segmentBins), STAGE (projections that are stored together), UNROLL
// (projections per iteration), HALF_ARITHMETIC (whether the device has it: some compilers define cl_khr_fp16 without).
// Variants are defined by CACHE, FLOATS, ONE_BUFFER, MANY_BUFFERS, TEXTURE_FILL, ROUNDING, ORDER, COLUMN_CACHE and
// GLOBAL_SINES; the variant `halves` by HALF_ARITHMETIC = -1.
#ifndef CACHE
#define CACHE 0 /* linear interpolation: 0 as measured fastest, 1 bins alone, 2 bin and difference from the next, 3 mean
                   with the next bin and difference, 4 offset and slope */
#endif
#ifndef ROUNDING
#define ROUNDING 0 /* 0 addition, 1 floor and conversion, 2 addition, and the address computed as a float */
#endif
#ifndef ORDER
#define ORDER 0 /* 0 squares along the Z curve, 1 squares line by line, 2 rows of 32 pixels */
#endif

// A ray in units of 2^-40 bins, exact enough for a tile's corner without double precision, and its steps as floats.
typedef struct {
    long start, perColumn, perRow;
    float columnStep, rowStep;
} Ray;

#define ROW_STEP (256 / COLUMNS) /* rows of pixels that 256 threads have at a time */
#define PIXELS (ROWS / ROW_STEP)
#define MIDDLE (BINS / 2)
// What local memory holds per bin, in BUFFERS buffers of ENTRIES entries. Four slices of halves are stored as halves.
#if CACHE > 0 || defined(FLOATS)
#define HALF_ENTRIES 0
#else
#define HALF_ENTRIES (HALF && SLICES == 4 && MODE <= 1)
#endif
#if defined(MANY_BUFFERS) || (SLICES == 4 && !defined(ONE_BUFFER))
#define PARTED 1 /* both parts of a bin of floats in their own buffers */
#else
#define PARTED 0
#endif
#if MODE == 0 && HALF_ENTRIES
typedef ushort4 Entry;
#define BUFFERS 1
#define ENTRIES BINS
#elif MODE == 0
typedef Sum Entry;
#define BUFFERS 1
#define ENTRIES BINS
#elif MODE == 1 && CACHE == 1
typedef Sum Entry;
#define BUFFERS 1
#define ENTRIES BINS
#elif MODE == 1 && HALF_ENTRIES && defined(MANY_BUFFERS)
typedef uint2 Entry; // four halves
#define BUFFERS 2
#define ENTRIES BINS
#elif MODE == 1 && HALF_ENTRIES
typedef uint4 Entry; // mean with the next bin and difference from it, each as four halves
#define BUFFERS 1
#define ENTRIES BINS
#elif MODE == 1 && PARTED
typedef Sum Entry; // values at the middle of the segment; slopes
#define BUFFERS 2
#define ENTRIES BINS
#elif MODE == 1 && SLICES == 1
typedef float2 Entry; // value at the middle of the segment, and slope
#define BUFFERS 1
#define ENTRIES BINS
#elif MODE == 1 && SLICES == 2
typedef float4 Entry; // both values and both slopes
#define BUFFERS 1
#define ENTRIES BINS
#elif MODE == 1
typedef float8 Entry; // four values, four slopes
#define BUFFERS 1
#define ENTRIES BINS
#elif MODE == 2 && defined(ONE_BUFFER)
typedef Sum Entry;
#define BUFFERS 1
#define ENTRIES (BINS * SAMPLES)
#elif MODE == 2
typedef float Entry; // one buffer per slice
#define BUFFERS SLICES
#define ENTRIES (BINS * SAMPLES)
#else
typedef float4 Entry; // Catmull-Rom coefficients; one buffer per slice
#define BUFFERS SLICES
#define ENTRIES BINS
#endif

#if MODE == 1 && HALF_ENTRIES
// Returns mean + f * difference of four slices, interpolated as halves where the device has their arithmetic.
#if defined(__NV_CL_C_VERSION) && HALF_ARITHMETIC >= 0 // has it, but not in OpenCL C
float2 interpolatedPair(float f, uint mean, uint difference)
{
    float2 pair;
    asm("{ .reg .b16 f, low, high; .reg .b32 ff, value; cvt.rn.f16.f32 f, %2; mov.b32 ff, {f, f};"
        "fma.rn.f16x2 value, ff, %4, %3; mov.b32 {low, high}, value; cvt.f32.f16 %0, low; cvt.f32.f16 %1, high; }"
        : "=f"(pair.x), "=f"(pair.y)
        : "f"(f), "r"(mean), "r"(difference));
    return pair;
}
float4 interpolated(float f, uint4 entry)
{
    return (float4)(interpolatedPair(f, entry.x, entry.z), interpolatedPair(f, entry.y, entry.w));
}
#elif HALF_ARITHMETIC > 0
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
float4 interpolated(float f, uint4 entry)
{
    return convert_float4(fma((half4)((half)f), as_half4(entry.zw), as_half4(entry.xy)));
}
#else
float4 interpolated(float f, uint4 entry)
{
    const float4 mean = vload_half4(0, (const half*)&entry);
    return fma((float4)(f), vload_half4(1, (const half*)&entry), mean);
}
#endif
#endif

#ifdef TEXTURE_FILL
#define SINOGRAMS read_only image2d_t sinograms
constant sampler_t binSampler = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
constant sampler_t sampleSampler = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR;
Sum binAt(SINOGRAMS, Shape shape, int projection, int bin)
{
    return SLICES_OF(read_imagef(sinograms, binSampler, (int2)(bin, projection)));
}
#else
#define SINOGRAMS global const void* sinograms
// Returns a bin of a projection; 0 beyond the detector.
Sum binAt(SINOGRAMS, Shape shape, int projection, int bin)
{
    if ((uint)bin >= (uint)shape.bins) // a negative bin is a large unsigned number
        return 0;
    const size_t i = (size_t)projection * shape.bins + bin;
#if SLICES == 1 && HALF
    return vload_half(i * CHANNELS, (global const half*)sinograms);
#elif SLICES == 1
    return ((global const float*)sinograms)[i * CHANNELS];
#elif SLICES == 2 && HALF
    return vload_half2(i * (CHANNELS / 2), (global const half*)sinograms);
#elif SLICES == 2
    return ((global const float2*)sinograms)[i * (CHANNELS / 2)];
#elif HALF
    return vload_half4(i, (global const half*)sinograms);
#else
    return ((global const float4*)sinograms)[i];
#endif
}
#endif

// Returns where the corner of a tile meets the detector, and enters the lowest bin of the tile, less one as a margin.
float4 localRay(const Ray ray, int column0, int row0, local int* base)
{
    const long corner = ray.start + column0 * ray.perColumn + row0 * ray.perRow;
    const long least = corner + min(0L, ray.perColumn * (COLUMNS - 1)) + min(0L, ray.perRow * (ROWS - 1));
    const int first = (int)(least >> 40) - 1;
    *base = first;
    const long from = corner - ((long)first << 40);
#if MODE == 0
    return (float4)(convert_float(from) * 0x1p-40f + TIE_UP, ray.columnStep, ray.rowStep, 0);
#elif MODE == 2
    return (float4)(convert_float(from * SAMPLES) * 0x1p-40f + TIE_UP, SAMPLES * ray.columnStep, SAMPLES * ray.rowStep,
                    0);
#else
    return (float4)(convert_float(from - ((long)MIDDLE << 40) - (1L << 39)) * 0x1p-40f, ray.columnStep, ray.rowStep, 0);
#endif
}

// Writes the entry of bin i of a segment.
void putBin(local Entry* segment, int i, SINOGRAMS, Shape shape, int projection, int bin)
{
    const Sum here = binAt(sinograms, shape, projection, bin);
#if MODE == 0 && HALF_ENTRIES
    vstore_half4(here, i, (local half*)segment);
#elif MODE == 0
    segment[i] = here;
#elif MODE == 1 && CACHE == 1
    segment[i] = here;
#elif MODE == 1 && HALF_ENTRIES
    const Sum difference = binAt(sinograms, shape, projection, bin + 1) - here;
#ifdef MANY_BUFFERS
    vstore_half4(fma((Sum)(0.5f), difference, here), i, (local half*)segment);
    vstore_half4(difference, i, (local half*)(segment + ENTRIES));
#else
    vstore_half4(fma((Sum)(0.5f), difference, here), 2 * i, (local half*)segment);
    vstore_half4(difference, 2 * i + 1, (local half*)segment);
#endif
#elif MODE == 1
    const Sum slope = binAt(sinograms, shape, projection, bin + 1) - here;
#if CACHE == 2
    const Sum value = here;
#elif CACHE == 3
    const Sum value = fma((Sum)(0.5f), slope, here);
#else
    const Sum value = fma((Sum)(MIDDLE + 0.5f - i), slope, here);
#endif
#if PARTED
    segment[i] = value;
    segment[ENTRIES + i] = slope;
#else
    segment[i] = (Entry)(value, slope);
#endif
#elif MODE == 2 && defined(TEXTURE_FILL) // the texture unit has the weights of quarters exactly
    for (int k = 0; k < SAMPLES; ++k) {
        const float2 at = (float2)(bin + 0.5f + k * (1.0f / SAMPLES), projection + 0.5f);
        const Sum value = SLICES_OF(read_imagef(sinograms, sampleSampler, at));
        for (int s = 0; s < SLICES; ++s)
            segment[s * ENTRIES + i * SAMPLES + k] = ((const float*)&value)[s];
    }
#elif MODE == 2 && defined(ONE_BUFFER)
    const Sum slope = binAt(sinograms, shape, projection, bin + 1) - here;
    for (int k = 0; k < SAMPLES; ++k)
        segment[i * SAMPLES + k] = fma((Sum)(k * (1.0f / SAMPLES)), slope, here);
#elif MODE == 2 && SAMPLES == 4
    const Sum slope = binAt(sinograms, shape, projection, bin + 1) - here;
    for (int s = 0; s < SLICES; ++s)
        vstore4(fma((float4)(0, 0.25f, 0.5f, 0.75f), (float4)(((const float*)&slope)[s]),
                    (float4)(((const float*)&here)[s])),
                i, segment + s * ENTRIES);
#elif MODE == 2
    const Sum slope = binAt(sinograms, shape, projection, bin + 1) - here;
    for (int k = 0; k < SAMPLES; ++k) {
        const Sum value = fma((Sum)(k * (1.0f / SAMPLES)), slope, here);
        for (int s = 0; s < SLICES; ++s)
            segment[s * ENTRIES + i * SAMPLES + k] = ((const float*)&value)[s];
    }
#else
    const Sum before = binAt(sinograms, shape, projection, bin - 1);
    const Sum next = binAt(sinograms, shape, projection, bin + 1);
    const Sum last = binAt(sinograms, shape, projection, bin + 2);
    const Sum b = 0.5f * (next - before), c = before - 2.5f * here + 2.0f * next - 0.5f * last;
    const Sum d = 0.5f * (last - before) + 1.5f * (here - next);
    for (int s = 0; s < SLICES; ++s)
        segment[s * ENTRIES + i] = (float4)(((const float*)&here)[s], ((const float*)&b)[s], ((const float*)&c)[s],
                                            ((const float*)&d)[s]);
#endif
}

// Rounding of a position h, the whole number, and the bytes up to its entry, counted as in FIRST_BYTE.
#if ROUNDING == 1
#define ROUNDED(h) floor((h) + 0.5f)
#define WHOLE (rounded)
#define ENTRY_BYTES ((uint)(int)rounded * (uint)sizeof(Entry))
#define FIRST_BYTE(entry) ((entry) * (uint)sizeof(Entry))
#elif ROUNDING == 2
#define ROUNDED(h) h + MAGIC
#define WHOLE (rounded - MAGIC)
#define ENTRY_BYTES as_uint(fma(WHOLE, (float)sizeof(Entry), MAGIC))
#define FIRST_BYTE(entry) ((entry) * (uint)sizeof(Entry) - MAGIC_BITS)
#else
#define ROUNDED(h) h + MAGIC
#define WHOLE (rounded - MAGIC)
#define ENTRY_BYTES as_uint(rounded) * (uint)sizeof(Entry)
#define FIRST_BYTE(entry) (entry - MAGIC_BITS) * (uint)sizeof(Entry)
#endif
// What the slope is multiplied by.
#if CACHE == 2
#define FRACTION (h - WHOLE + 0.5f)
#elif CACHE == 3
#define FRACTION (h - WHOLE)
#else
#define FRACTION (h)
#endif

// Adds a projection to a pixel's sum. h: as in localRay. entry0: byte of the entry for the whole number 0 (FIRST_BYTE).
Sum withEntry(Sum sum, local const char* segments, uint entry0, float h)
{
    const float rounded = ROUNDED(h);
    local const Entry* at = (local const Entry*)(segments + (ENTRY_BYTES + entry0));
#if MODE == 0 && HALF_ENTRIES
    return sum + vload_half4(0, (local const half*)at);
#elif MODE == 0
    return sum + *at;
#elif MODE == 1 && CACHE == 1
    const Sum here = at[0];
    return sum + fma((Sum)(h - WHOLE + 0.5f), at[1] - here, here);
#elif MODE == 1 && HALF_ENTRIES && defined(MANY_BUFFERS)
    return sum + interpolated(h - WHOLE, (uint4)(at[0], at[ENTRIES]));
#elif MODE == 1 && HALF_ENTRIES
    return sum + interpolated(h - WHOLE, *at);
#elif MODE == 1 && PARTED
    return fma((Sum)FRACTION, at[ENTRIES], sum + at[0]);
#elif MODE == 1 && SLICES == 1
    const Entry entry = *at;
    return fma(FRACTION, entry.y, sum + entry.x);
#elif MODE == 1 && SLICES == 2
    const Entry entry = *at;
    return fma((Sum)FRACTION, entry.zw, sum + entry.xy);
#elif MODE == 1
    const Entry entry = *at;
    return fma((Sum)FRACTION, entry.hi, sum + entry.lo);
#elif MODE == 2 && defined(ONE_BUFFER)
    return sum + at[0];
#elif MODE == 2 && SLICES == 1
    return sum + at[0];
#elif MODE == 2 && SLICES == 2
    return sum + (Sum)(at[0], at[ENTRIES]);
#elif MODE == 2
    return sum + (Sum)(at[0], at[ENTRIES], at[2 * ENTRIES], at[3 * ENTRIES]);
#else
    const float f = h - WHOLE + 0.5f;
    float values[SLICES];
    for (int s = 0; s < SLICES; ++s) {
        const float4 c = at[s * ENTRIES];
        values[s] = fma(fma(fma(c.w, f, c.z), f, c.y), f, c.x);
    }
#if SLICES == 1
    return sum + values[0];
#elif SLICES == 2
    return sum + (Sum)(values[0], values[1]);
#else
    return sum + (Sum)(values[0], values[1], values[2], values[3]);
#endif
#endif
}

// Sixteen neighbouring threads have 4 x 4 pixels, so that their bins lie in as few banks as possible at any angle.
#if ORDER == 2
int columnOf(int thread)
{
    return (thread & 31) + 32 * ((thread >> 5) % (COLUMNS / 32));
}
int rowOf(int thread)
{
    return (thread >> 5) / (COLUMNS / 32);
}
#elif ORDER == 1
int columnOf(int thread)
{
    return (thread & 3) + ((thread >> 2) & 4) + 8 * ((thread >> 5) % (COLUMNS / 8));
}
int rowOf(int thread)
{
    return ((thread >> 2) & 3) + 4 * ((thread >> 5) / (COLUMNS / 8));
}
#else
int columnOf(int thread)
{
    return (thread & 1) + ((thread >> 1) & 2) + ((thread >> 2) & 4) + 8 * ((thread >> 5) % (COLUMNS / 8));
}
int rowOf(int thread)
{
    return ((thread >> 1) & 1) + ((thread >> 2) & 2) + 4 * ((thread >> 5) / (COLUMNS / 8));
}
#endif

#define SEGMENT (BUFFERS * ENTRIES)                 /* entries of a projection */
#define FILLERS (STAGE >= 8 ? 32 : 256 / STAGE)     /* threads that fill a projection; STAGE is a power of two */
#define SEGMENTS_BYTES (2 * STAGE * SEGMENT * sizeof(Entry))
#ifdef COLUMN_CACHE // positions of the columns of both stages, as floats behind the segments
#define LOCAL_ENTRIES 2 * STAGE * SEGMENT + (2 * STAGE * COLUMNS * 4 + sizeof(Entry) - 1) / sizeof(Entry)
#else
#define LOCAL_ENTRIES 2 * STAGE * SEGMENT
#endif

// Sums the projections of a range over a tile by 256 threads. Local memory holds two stages of STAGE projections: one
// is summed while the next is filled. The rays of a third are being computed. localRays, bases: of 3 * STAGE rays.
void sumTile(SINOGRAMS, global const Ray* rays, int2 range, Shape shape, int column0, int row0,
             local Entry* segments, local float4* localRays, local int* bases, Sum* sums)
{
    const int thread = get_local_id(0);
    const float x = columnOf(thread), y = rowOf(thread);
    if (thread < 2 * STAGE && range.x + thread < range.y)
        localRays[thread] = localRay(rays[range.x + thread], column0, row0, bases + thread);
    barrier(CLK_LOCAL_MEM_FENCE);
    const int stages = (range.y - range.x + STAGE - 1) / STAGE;
    for (int stage = -1; stage < stages; ++stage) {
        // Fills the next stage.
        const int filled = stage + 1, begin = range.x + filled * STAGE;
#if BINS >= 64
        for (int k = thread / FILLERS; k < STAGE && begin + k < range.y; k += 256 / FILLERS) {
            local Entry* segment = segments + ((filled & 1) * STAGE + k) * SEGMENT;
            const int base = bases[filled % 3 * STAGE + k];
            for (int i = thread % FILLERS; i < BINS; i += FILLERS)
                putBin(segment, i, sinograms, shape, begin + k, base + i);
        }
#else // whole rounds of threads would leave many without a bin
        const int bins = min(STAGE, range.y - begin) * BINS;
        for (int i = thread; i < bins; i += 256) {
            const int k = i / BINS, bin = i - k * BINS;
            putBin(segments + ((filled & 1) * STAGE + k) * SEGMENT, bin, sinograms, shape, begin + k,
                   bases[filled % 3 * STAGE + k] + bin);
        }
#endif
#ifdef COLUMN_CACHE
        local float* columns = (local float*)(segments + 2 * STAGE * SEGMENT);
        for (int i = thread; i < min(STAGE, range.y - begin) * COLUMNS; i += 256) {
            const float4 ray = localRays[filled % 3 * STAGE + i / COLUMNS];
            columns[(filled & 1) * STAGE * COLUMNS + i] = fma((float)(i % COLUMNS), ray.y, ray.x);
        }
#endif
        const int ahead = begin + STAGE + thread;
        if (thread < STAGE && ahead < range.y && stage >= 0) {
            const int place = (filled + 1) % 3 * STAGE + thread;
            localRays[place] = localRay(rays[ahead], column0, row0, bases + place);
        }
        if (stage >= 0) {
            const int present = min(STAGE, range.y - (begin - STAGE));
            local const float4* of = localRays + stage % 3 * STAGE;
            const uint middle = MODE % 2 == 1 ? MIDDLE : 0;
            uint entry0 = FIRST_BYTE((stage & 1) * STAGE * SEGMENT + middle);
#pragma unroll UNROLL
            for (int k = 0; k < present; ++k, entry0 += SEGMENT * sizeof(Entry)) {
#ifdef GLOBAL_SINES
                float4 ray = of[k];
                ray.y = (MODE == 2 ? SAMPLES : 1) * rays[begin - STAGE + k].columnStep;
                ray.z = (MODE == 2 ? SAMPLES : 1) * rays[begin - STAGE + k].rowStep;
#else
                const float4 ray = of[k];
#endif
#ifdef COLUMN_CACHE
                const float h0 = fma(y, ray.z, columns[((stage & 1) * STAGE + k) * COLUMNS + columnOf(thread)]);
#else
                const float h0 = fma(x, ray.y, fma(y, ray.z, ray.x));
#endif
#pragma unroll
                for (int q = 0; q < PIXELS; ++q)
                    sums[q] = withEntry(sums[q], (local const char*)segments, entry0,
                                        fma((float)(ROW_STEP * q), ray.z, h0));
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

kernel __attribute__((reqd_work_group_size(256, 1, 1))) void aluTiles(SINOGRAMS,
                                                                      global const Ray* rays, int count, Shape shape,
                                                                      global const uint* largest, global float* out)
{
    local Entry segments[LOCAL_ENTRIES];
    local float4 localRays[3 * STAGE];
    local int bases[3 * STAGE];
    const int column0 = get_group_id(0) * COLUMNS, row0 = get_group_id(1) * ROWS, split = get_group_id(2);
    const int thread = get_local_id(0);
    Sum sums[PIXELS];
#pragma unroll
    for (int q = 0; q < PIXELS; ++q)
        sums[q] = 0;
    sumTile(sinograms, rays, rangeOf(0, count, split, shape.splits), shape, column0, row0, segments, localRays, bases,
            sums);
    const float scale = shape.splits > 1 ? 1.0f : 1.0f / scaleOf(*largest);
#pragma unroll
    for (int q = 0; q < PIXELS; ++q)
        store(out, shape, scale, split, row0 + rowOf(thread) + ROW_STEP * q, column0 + columnOf(thread), sums[q], 0);
}

// For coarse previews, whose pixels lie too far apart for the tiles: one thread per pixel, bins from global memory.
kernel __attribute__((reqd_work_group_size(256, 1, 1))) void coarsePixels(SINOGRAMS,
                                                                          global const Ray* rays, int count,
                                                                          Shape shape, global const uint* largest,
                                                                          global float* out)
{
    const int thread = get_local_id(0);
    const int column = get_group_id(0) * 16 + thread % 16, row = get_group_id(1) * 16 + thread / 16;
    Sum sum = 0;
    for (int p = 0; p < count; ++p) {
        long h = rays[p].start + column * rays[p].perColumn + row * rays[p].perRow;
        if (h < -(2L << 40) || h > (long)(shape.bins + 2) << 40) // far from the detector: products would overflow
            continue;
#if MODE == 0
        h += 1L << 39;
#elif MODE == 2
        const long sample = (h * SAMPLES + (1L << 39)) >> 40; // the nearest one
        h = (sample << 40) / SAMPLES;
#endif
        const int bin = (int)(h >> 40);
        const float f = convert_float(h & ((1L << 40) - 1)) * 0x1p-40f;
        const Sum here = binAt(sinograms, shape, p, bin);
#if MODE == 0
        sum += here;
#elif MODE == 3
        const Sum before = binAt(sinograms, shape, p, bin - 1), next = binAt(sinograms, shape, p, bin + 1);
        const Sum last = binAt(sinograms, shape, p, bin + 2);
        sum += ((-0.5f * f + 1.0f) * f - 0.5f) * f * before + ((1.5f * f - 2.5f) * f * f + 1.0f) * here +
               ((-1.5f * f + 2.0f) * f + 0.5f) * f * next + (0.5f * f - 0.5f) * f * f * last;
#else
        sum += (1 - f) * here + f * binAt(sinograms, shape, p, bin + 1);
#endif
    }
    store(out, shape, 1.0f / scaleOf(*largest), 0, row, column, sum, 0);
}
