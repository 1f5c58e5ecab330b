#include "engine/backproject/cpu/tile_kernel.h"

#if defined(__x86_64__)
#include <immintrin.h>

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,fma"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,fma")
#endif

namespace engine::avx2
{

namespace
{

struct Lanes {
    using Floats = __m256;
    using Index = __m256i;
    static constexpr int count = 8;

    static Floats load(const float* values) { return _mm256_loadu_ps(values); }
    static void store(float* values, Floats lanes) { _mm256_storeu_ps(values, lanes); }

    // index − first; false unless all are 0…count − 1.
    static bool distances(const int* index, int first, Index& out)
    {
        out = _mm256_sub_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(index)), _mm256_set1_epi32(first));
        const Index tooFar = _mm256_cmpgt_epi32(out, _mm256_set1_epi32(count - 1));
        return _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_or_si256(out, tooFar))) == 0; // sign bits
    }

    static Floats lookUp(const float* bins, Index distance) { return _mm256_permutevar8x32_ps(load(bins), distance); }
};

} // namespace

} // namespace engine::avx2

#define SINOSCOPE_KERNEL avx2
#define SINOSCOPE_KERNEL_LANES
#include "engine/backproject/cpu/tile_kernel_loops.h"

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
