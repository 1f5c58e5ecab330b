#include "engine/backproject/cpu/tile_kernel.h"

#if defined(__x86_64__)
#include <immintrin.h>

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512dq,avx512bw,avx512vl,avx2,fma"))),                   \
                             apply_to = function)
#else
#pragma GCC push_options
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized" // false alarm inside GCC 12's own intrinsics
#pragma GCC target("avx512f,avx512dq,avx512bw,avx512vl,avx2,fma")
#endif

namespace engine::avx512
{

namespace
{

struct Lanes {
    using Floats = __m512;
    using Index = __m512i;
    static constexpr int count = 16;

    static Floats load(const float* values) { return _mm512_loadu_ps(values); }
    static void store(float* values, Floats lanes) { _mm512_storeu_ps(values, lanes); }

    // index − first; false unless all are 0…count − 1.
    static bool distances(const int* index, int first, Index& out)
    {
        out = _mm512_sub_epi32(_mm512_loadu_si512(index), _mm512_set1_epi32(first));
        return _mm512_cmpge_epu32_mask(out, _mm512_set1_epi32(count)) == 0;
    }

    static Floats lookUp(const float* bins, Index distance) { return _mm512_permutexvar_ps(distance, load(bins)); }
};

} // namespace

} // namespace engine::avx512

#define SINOSCOPE_KERNEL avx512
#define SINOSCOPE_KERNEL_LANES
#include "engine/backproject/cpu/tile_kernel_loops.h"

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
