// SPDX-License-Identifier: GPL-3.0-or-later
// Vectors of the cone kernels, and selection of values from two registers of neighbouring values; compiled per
// instruction set.

#if defined(SINOSCOPE_TWO_REGISTERS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SINOSCOPE_TWO_REGISTERS_INL_H
#undef SINOSCOPE_TWO_REGISTERS_INL_H
#else
#define SINOSCOPE_TWO_REGISTERS_INL_H
#endif

#include <hwy/highway.h>

#include <cstdint>

#undef SINOSCOPE_PERMUTES
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
#define SINOSCOPE_PERMUTES 2 // one instruction selects from two registers
#elif HWY_ARCH_X86 && HWY_TARGET == HWY_AVX2
#define SINOSCOPE_PERMUTES 1 // from one register
#else
#define SINOSCOPE_PERMUTES 0
#endif

HWY_BEFORE_NAMESPACE();
namespace engine
{
namespace HWY_NAMESPACE
{
namespace
{

namespace hn = hwy::HWY_NAMESPACE;

constexpr int lanes = HWY_MAX_BYTES / 4 < 16 ? HWY_MAX_BYTES / 4 : 16;
constexpr int doubles = lanes / 2;
using Floats = hn::FixedTag<float, lanes>;
using Ints = hn::Rebind<std::int32_t, Floats>;
using Doubles = hn::FixedTag<double, doubles>;
using DoubleInts = hn::Rebind<std::int32_t, Doubles>;
using DoubleFloats = hn::Rebind<float, Doubles>;
using V = hn::Vec<Floats>;
using VI = hn::Vec<Ints>;
using VD = hn::Vec<Doubles>;

HWY_INLINE VI wholeOf(V position) // position ≥ 0
{
#if SINOSCOPE_PERMUTES == 2
    return VI{_mm512_cvttps_epi32(position.raw)};
#elif SINOSCOPE_PERMUTES == 1
    return VI{_mm256_cvttps_epi32(position.raw)}; // Highway's conversion also checks for overflow
#else
    return hn::ConvertTo(Ints(), position);
#endif
}

HWY_INLINE V asFloats(VI whole)
{
    return hn::ConvertTo(Floats(), whole);
}

struct Pair {
    V value, next;
};

// Selects the values at `index` and `index` + 1, counted from `values`, of which 2·lanes + 1 are read. index:
// 0 … 2·lanes − 2, or 0 … lanes − 1 if narrow.
template <bool narrow>
struct Chosen {
    VI index;
#if SINOSCOPE_PERMUTES == 2
    VI nextIndex;
    HWY_INLINE explicit Chosen(VI i) : index(i), nextIndex(hn::Add(i, hn::Set(Ints(), 1))) {}
    HWY_INLINE Pair from(const float* values) const
    {
        __m512 low = _mm512_loadu_ps(values), high = _mm512_loadu_ps(values + lanes);
        asm("" : "+v"(low), "+v"(high)); // loads across cache lines are expensive: GCC would do each twice
        return {V{_mm512_permutex2var_ps(low, index.raw, high)}, V{_mm512_permutex2var_ps(low, nextIndex.raw, high)}};
    }
#elif SINOSCOPE_PERMUTES == 1
    V inSecond;
    HWY_INLINE explicit Chosen(VI i) : index(i), inSecond(hn::BitCast(Floats(), hn::ShiftLeft<28>(i))) {}
    HWY_INLINE V at(const float* values) const
    {
        const __m256 low = _mm256_permutevar8x32_ps(_mm256_loadu_ps(values), index.raw);
        if constexpr (narrow)
            return V{low};
        const __m256 high = _mm256_permutevar8x32_ps(_mm256_loadu_ps(values + lanes), index.raw);
        return V{_mm256_blendv_ps(low, high, inSecond.raw)};
    }
    HWY_INLINE Pair from(const float* values) const
    {
        return {at(values), at(values + 1)};
    }
#else
    HWY_INLINE explicit Chosen(VI i) : index(i) {}
    HWY_INLINE Pair from(const float* values) const
    {
        return {hn::GatherIndex(Floats(), values, index), hn::GatherIndex(Floats(), values + 1, index)};
    }
#endif
};

} // namespace
} // namespace HWY_NAMESPACE
} // namespace engine
HWY_AFTER_NAMESPACE();

#endif
