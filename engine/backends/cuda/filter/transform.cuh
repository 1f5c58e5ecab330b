// SPDX-License-Identifier: GPL-3.0-or-later
// Fourier transforms of one length, a power of two, by the threads of a block, in place: forwards, a factor per
// frequency, and backwards. The transform forwards ends with the frequencies in an order of its own (frequencyAt), and
// that backwards begins with it, so that nothing is ever sorted. Decimation in frequency with steps of 16 (Cooley and
// Tukey 1965; Van Loan 1992, section 1.9).
#pragma once

#include <cuda_runtime.h>

namespace engine::cuda
{

using Complex = float2;

// A transform of 2^exponent values: `steps` of 16, and one of 2^middleExponent in their middle.
struct TransformSteps {
    int exponent = 1;
    __host__ __device__ int length() const { return 1 << exponent; }
    __host__ __device__ int steps() const { return (exponent - 1) / 4; }
    __host__ __device__ int middleExponent() const { return exponent - 4 * steps(); }

    // Returns the frequency, 0 to length − 1, that lies at a position after the transform forwards.
    int frequencyAt(int position) const
    {
        int frequency = 0, done = 0; // bits of the position, from the highest
        for (int k = 0; k <= steps(); ++k) {
            const int bits = k < steps() ? 4 : middleExponent();
            frequency |= (position >> (exponent - done - bits) & ((1 << bits) - 1)) << done;
            done += bits;
        }
        return frequency;
    }
};

// Place of value i in the memory of a block. One place after each 16 stays unused, so that the threads of a warp reach
// different banks in every step.
__host__ __device__ inline int placeOf(int i)
{
    return i + i / 16;
}

__device__ inline Complex sum(Complex a, Complex b)
{
    return {a.x + b.x, a.y + b.y};
}

__device__ inline Complex difference(Complex a, Complex b)
{
    return {a.x - b.x, a.y - b.y};
}

__device__ inline Complex product(Complex a, Complex b)
{
    return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}

// A transform backwards is one forwards of values with their parts exchanged.
__device__ inline Complex exchanged(Complex a)
{
    return {a.y, a.x};
}

// Returns exp(−2πi·k/n) · a, for 0 ≤ k < n/2 and n = 2, 4, 8, 16. All is known when the loops are unrolled.
template <int n>
__device__ inline Complex turned(Complex a, int k)
{
    constexpr float cosines[] = {1, 0.92387953251f,  0.70710678119f,  0.38268343236f,
                                 0, -0.38268343236f, -0.70710678119f, -0.92387953251f};
    const int sixteenths = k * (16 / n);
    if (sixteenths == 0)
        return a;
    if (sixteenths == 4)
        return {a.y, -a.x};
    const float sine = sixteenths < 4 ? cosines[4 - sixteenths] : cosines[sixteenths - 4];
    return product(a, {cosines[sixteenths], -sine});
}

// Transform of n values in registers, in their natural order.
template <int n>
__device__ inline void transformInRegisters(Complex (&values)[n])
{
    if constexpr (n > 1) {
        Complex even[n / 2], odd[n / 2];
#pragma unroll
        for (int k = 0; k < n / 2; ++k) {
            even[k] = values[2 * k];
            odd[k] = values[2 * k + 1];
        }
        transformInRegisters(even);
        transformInRegisters(odd);
#pragma unroll
        for (int k = 0; k < n / 2; ++k) {
            const Complex other = turned<n>(odd[k], k);
            values[k] = sum(even[k], other);
            values[k + n / 2] = difference(even[k], other);
        }
    }
}

// One step of 16 of a transform of `length` values, which is part of one of `whole` values. load(i), store(i, value):
// access to value i. roots: exp(−2πi·k/whole) for k < whole/2.
template <bool isBackwards, class Load, class Store>
__device__ inline void transformStep(int length, int whole, const Complex* __restrict__ roots, const Load& load,
                                     const Store& store)
{
    constexpr int n = 16;
    const int apart = length / n;
    for (int t = threadIdx.x; t < whole / n; t += blockDim.x) {
        const int own = t & (apart - 1), first = (t - own) * n + own;
        Complex values[n], powers[n];
#pragma unroll
        for (int k = 0; k < n; ++k)
            values[k] = isBackwards ? exchanged(load(first + k * apart)) : load(first + k * apart);
            // Powers 1, 2, 4 and 8 from the table, so that errors don't add up; the others are products of these.
#pragma unroll
        for (int power = 1; power < n; power *= 2) {
            powers[power] = __ldg(roots + power * own * (whole / length));
#pragma unroll
            for (int k = 1; k < power; ++k)
                powers[power + k] = product(powers[power], powers[k]);
        }
        if constexpr (isBackwards) {
#pragma unroll
            for (int k = 1; k < n; ++k)
                values[k] = product(values[k], powers[k]);
        }
        transformInRegisters(values);
        if constexpr (!isBackwards) {
#pragma unroll
            for (int k = 1; k < n; ++k)
                values[k] = product(values[k], powers[k]);
        }
#pragma unroll
        for (int k = 0; k < n; ++k)
            store(first + k * apart, isBackwards ? exchanged(values[k]) : values[k]);
    }
}

// The middle of both transforms: n neighbours forwards, times their factors, and backwards. factors: per position.
template <int n, class Load, class Store>
__device__ inline void transformMiddle(int whole, const float* __restrict__ factors, const Load& load,
                                       const Store& store)
{
    for (int t = threadIdx.x; t < whole / n; t += blockDim.x) {
        Complex values[n];
#pragma unroll
        for (int k = 0; k < n; ++k)
            values[k] = load(t * n + k);
        transformInRegisters(values);
#pragma unroll
        for (int k = 0; k < n; ++k) {
            const float factor = __ldg(factors + t * n + k);
            values[k] = {values[k].y * factor, values[k].x * factor};
        }
        transformInRegisters(values);
#pragma unroll
        for (int k = 0; k < n; ++k)
            store(t * n + k, exchanged(values[k]));
    }
}

// Transforms forwards, multiplies and transforms backwards; unscaled, so that factors of 1 give `length` times the
// values. load(i) is called once for each value, before store(i, value) is. memory: placeOf(length) values of this
// block alone.
template <int middle, class Load, class Store>
__device__ inline void filterInPlace(const TransformSteps& steps, const Complex* __restrict__ roots,
                                     const float* __restrict__ factors, Complex* memory, const Load& load,
                                     const Store& store)
{
    const int whole = steps.length();
    const auto read = [&](int i) { return memory[placeOf(i)]; };
    const auto write = [&](int i, Complex value) { memory[placeOf(i)] = value; };
    if (steps.steps() == 0) {
        transformMiddle<middle>(whole, factors, load, store);
        return;
    }
    transformStep<false>(whole, whole, roots, load, write);
    __syncthreads();
    for (int length = whole / 16; length > middle; length /= 16) {
        transformStep<false>(length, whole, roots, read, write);
        __syncthreads();
    }
    transformMiddle<middle>(whole, factors, read, write);
    __syncthreads();
    for (int length = 16 * middle; length < whole; length *= 16) {
        transformStep<true>(length, whole, roots, read, write);
        __syncthreads();
    }
    transformStep<true>(whole, whole, roots, read, store);
}

} // namespace engine::cuda
