// SPDX-License-Identifier: GPL-3.0-or-later
// Interpolation weights in pairs of halves, as the operand registers of tensor cores hold them.
#pragma once

#include "engine/request/sampling.h"

#include <cuda_fp16.h>

namespace engine::cuda
{

// Number of bins before the pixel's own that have a weight: 0, or 1 for cubic. After it there are 1, or 2 for cubic.
template <Interpolation interpolation>
constexpr int reachBefore = interpolation == Interpolation::cubic ? 1 : 0;

__device__ inline unsigned packed(__half2 pair)
{
    return reinterpret_cast<const unsigned&>(pair);
}

// Weights of two neighbouring bins. high: as halves; low: the remainders of the float weights.
struct WeightPair {
    unsigned high, low;
};

template <bool exact>
__device__ inline WeightPair split(float first, float second)
{
    const __half2 high = __floats2half2_rn(first, second);
    if constexpr (!exact)
        return {packed(high), 0};
    const float2 rounded = __half22float2(high);
    return {packed(high), packed(__floats2half2_rn(first - rounded.x, second - rounded.y))};
}

__device__ inline float catmullRom(float x)
{
    // (1 − |x|)·(1 + |x| − 1.5·x²) up to 1, (1 − |x|)·(2 − |x|)²/2 from there to 2
    const float a = fabsf(x), rest = fmaxf(2.0f - a, 0.0f);
    const float inner = fmaf(fmaf(-1.5f, a, 1.0f), a, 1.0f), outer = 0.5f * rest * rest;
    return (1.0f - a) * (a < 1.0f ? inner : outer);
}

// Positions are whole multiples of 2⁻²⁶ bins, for windows of 16 bins.
constexpr int positionBits = 26;

// Returns the weights of two bins: 1 for the bin ⌊x⌋. x: the position plus ½, relative to the first of the two bins.
__device__ inline unsigned nearestPair(int x)
{
    unsigned weights;
    // The half 1.0, shifted by 16·⌊x⌋ bits; a shift beyond 31 gives 0.
    asm("shl.b32 %0, %1, %2;" : "=r"(weights) : "r"(0x3c00), "r"(x >> (positionBits - 4) & ~15));
    return weights;
}

// Returns linear or cubic weights. x: the ray's position relative to the first of the two bins. exact: with the low
// part.
template <Interpolation interpolation, bool exact>
__device__ inline WeightPair weightPair(float x)
{
    if constexpr (interpolation == Interpolation::cubic) {
        return split<exact>(catmullRom(x), catmullRom(x - 1.0f));
    } else {
        return split<exact>(__saturatef(1.0f - fabsf(x)), __saturatef(1.0f - fabsf(x - 1.0f)));
    }
}

// Returns the linear weights of two bins. The positions are offset + fraction, in half precision. Takes two
// instructions; the weights are off by 2⁻¹¹ at most.
__device__ inline unsigned linearPair(__half2 offset, __half2 fraction)
{
    return packed(__hadd2_sat(__float2half2_rn(1.0f), __hneg2(__habs2(__hadd2(offset, fraction)))));
}

} // namespace engine::cuda
