// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of the values that a pixel needs from its left bin, and their use; compiled per instruction set.

#if defined(SINOSCOPE_BIN_TABLES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SINOSCOPE_BIN_TABLES_INL_H
#undef SINOSCOPE_BIN_TABLES_INL_H
#else
#define SINOSCOPE_BIN_TABLES_INL_H
#endif

#include "engine/backends/cpu/parallel/positions-inl.h"

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace engine
{
namespace HWY_NAMESPACE
{
namespace
{

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::FixedTag<float, lanes>;
using Ints = hn::FixedTag<std::int32_t, lanes>;
using V = hn::Vec<Floats>;
using VI = hn::Vec<Ints>;

// Added to h, so that rounding gives the left bin.
constexpr float shift = -0.5f;

constexpr int tablesOf(Interpolation interpolation)
{
    return interpolation == Interpolation::nearest ? 1 : interpolation == Interpolation::cubic ? 4 : 2;
}

// Computes the tables for a vector of left bins b = bin, bin + 1, …, counted from the middle bin (value and
// difference of Chilingaryan et al. 2020, section 6.3). linear: a pixel's value is table0 + h'·table1, with
// h' = h − 1/2. cubic: it is a polynomial of h' − b.
template <Interpolation interpolation>
HWY_INLINE void makeTables(const float* row, int bin, V* tables)
{
    const Floats d;
    const V value = hn::LoadU(d, row + bin);
    if constexpr (interpolation == Interpolation::nearest) {
        tables[0] = value;
    } else if constexpr (interpolation == Interpolation::cubic) {
        // Catmull-Rom: v0 + f·(b + f·(c + f·e)), rewritten for g = f − 1/2.
        const V before = hn::LoadU(d, row + bin - 1), next = hn::LoadU(d, row + bin + 1),
                after = hn::LoadU(d, row + bin + 2);
        const V half = hn::Set(d, 0.5f);
        const V b = hn::Mul(half, hn::Sub(next, before));
        const V c =
            hn::Sub(hn::MulAdd(hn::Set(d, -2.5f), value, hn::Add(before, hn::Add(next, next))), hn::Mul(half, after));
        const V e = hn::MulAdd(half, hn::Sub(after, before), hn::Mul(hn::Set(d, 1.5f), hn::Sub(value, next)));
        tables[0] = hn::MulAdd(half, hn::MulAdd(half, hn::MulAdd(half, e, c), b), value);
        tables[1] = hn::Add(b, hn::MulAdd(hn::Set(d, 0.75f), e, c));
        tables[2] = hn::MulAdd(hn::Set(d, 1.5f), e, c);
        tables[3] = e;
    } else {
        const V slope = hn::Sub(hn::LoadU(d, row + bin + 1), value);
        const V position = hn::Add(hn::Iota(d, 0), hn::Set(d, static_cast<float>(bin) + shift));
        tables[0] = hn::NegMulAdd(position, slope, value);
        tables[1] = slope;
    }
}

// Adds the pixels' values to `sum`. g: h' − b for cubic. lookUp(k): table k at each pixel's left bin.
template <Interpolation interpolation, class LookUp>
HWY_INLINE V addValue(V sum, V h, V g, const LookUp& lookUp)
{
    if constexpr (interpolation == Interpolation::cubic) {
        const V value = hn::MulAdd(g, hn::MulAdd(g, lookUp(3), lookUp(2)), lookUp(1));
        return hn::MulAdd(g, value, hn::Add(sum, lookUp(0)));
    } else {
        return hn::MulAdd(h, lookUp(1), hn::Add(sum, lookUp(0)));
    }
}

} // namespace
} // namespace HWY_NAMESPACE
} // namespace engine
HWY_AFTER_NAMESPACE();

#endif
