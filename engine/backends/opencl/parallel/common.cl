// SPDX-License-Identifier: GPL-3.0-or-later
// Sums of 1, 2 or 4 slices, and where they are stored. Defined by the program: SLICES (per pass), CHANNELS (numbers per
// bin of the sinograms: SLICES or more), HALF (whether these are halves).
#if SLICES == 1
typedef float Sum;
#define SLICES_OF(value) ((value).x)
#elif SLICES == 2
typedef float2 Sum;
#define SLICES_OF(value) ((value).xy)
#else
typedef float4 Sum;
#define SLICES_OF(value) (value)
#endif

#define MAGIC 12582912.0f /* 1.5 * 2^23: the last bits of h + MAGIC are the nearest whole number */
#define MAGIC_BITS 0x4B400000u
#define TIE_UP 7.62939453125e-6f /* 2^-17: a tie between two bins goes up, as in floor(h + 1/2) */

// Power of two that brings `largest`, the bits of a finite magnitude, to 2^10...2^11; 1 for floats.
float scaleOf(uint largest)
{
#if HALF
    return largest == 0 ? 1.0f : as_float(clamp(264 - (int)(largest >> 23), 1, 254) << 23);
#else
    return 1.0f;
#endif
}

// A pass of slices. `partial` has [split][slice][row][column] if the projections are split; else `image` gets the sums.
typedef struct {
    int width, height, splits, projections, bins;
} Shape;

// Stores the sums of a pixel. more: adds them to what an earlier launch stored.
void store(global float* out, Shape shape, float scale, int split, int row, int column, Sum sum, int more)
{
    if (row >= shape.height || column >= shape.width)
        return;
    const size_t size = (size_t)shape.width * shape.height;
    global float* at = out + split * size * SLICES + (size_t)row * shape.width + column;
    sum *= scale;
#if SLICES == 1
    at[0] = more ? at[0] + sum : sum;
#else
    const float* values = (const float*)&sum;
    for (int s = 0; s < SLICES; ++s)
        at[s * size] = more ? at[s * size] + values[s] : values[s];
#endif
}

// The projections of a launch that one split sums, from `first` to before `second`.
int2 rangeOf(int first, int count, int split, int splits)
{
    return (int2)(first + (int)((long)count * split / splits), first + (int)((long)count * (split + 1) / splits));
}
