// SPDX-License-Identifier: GPL-3.0-or-later
// Positions at which the rays of a small square of pixels meet the detector, for the kernels; compiled per
// instruction set.

#if defined(SINOSCOPE_POSITIONS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SINOSCOPE_POSITIONS_INL_H
#undef SINOSCOPE_POSITIONS_INL_H
#else
#define SINOSCOPE_POSITIONS_INL_H
#endif

#include "engine/backends/cpu/parallel/kernels.h"

#include <hwy/highway.h>

#include <cmath>

// 1 if two registers hold all bins that a square of pixels meets, and one instruction selects from both.
#undef SINOSCOPE_TWO_REGISTERS
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3
#define SINOSCOPE_TWO_REGISTERS 1
#else
#define SINOSCOPE_TWO_REGISTERS 0
#endif

HWY_BEFORE_NAMESPACE();
namespace engine
{
namespace HWY_NAMESPACE
{
namespace
{

namespace hn = hwy::HWY_NAMESPACE;

// Lanes of float32 in the widest vector that the kernels use.
constexpr int lanes = HWY_MAX_BYTES / 4 < 16 ? HWY_MAX_BYTES / 4 : 16;
using Doubles = hn::FixedTag<double, lanes / 2>;

// h of a square's middle for each projection of a block, as whole bins and a rest in 0…1.
struct Middles {
    alignas(64) std::int32_t bin[projectionsPerBlock];
    alignas(64) double rest[projectionsPerBlock];
};

// Finds the middles of a square. Tile: TileArguments or DoubleTile. column, row: place of the middle in the tile.
// Middles more than `beyond` bins away from the detector are moved to that distance; the square's rays meet only
// zeros of the margin in either case.
template <class Tile>
HWY_INLINE void findMiddles(const Tile& tile, double column, double row, double beyond, Middles& out)
{
    const Doubles d;
    const hn::Rebind<std::int32_t, Doubles> di;
    const auto x = hn::Set(d, tile.x + column * tile.step), y = hn::Set(d, tile.y - row * tile.step);
    const auto least = hn::Set(d, -beyond), most = hn::Set(d, tile.binCount + beyond);
    for (int p = 0; p < projectionsPerBlock; p += static_cast<int>(hn::Lanes(d))) {
        const auto offset = hn::MulAdd(y, hn::LoadU(d, tile.sine + p), hn::LoadU(d, tile.axis + p));
        const auto h = hn::MulAdd(x, hn::LoadU(d, tile.cosine + p), offset);
        const auto inside = hn::Min(hn::Max(h, least), most);
        const auto whole = hn::Floor(inside);
        hn::Store(hn::DemoteTo(di, whole), di, out.bin + p);
        hn::Store(hn::Sub(inside, whole), d, out.rest + p);
    }
}

// Returns how many bits a fixed-point position has for its fraction. Positions are counted in steps, of which a bin has
// `steps`, and lie within 13 bins of the middle.
HWY_INLINE int fractionBits(int steps)
{
    int bits = 31;
    for (int most = 13 * steps; most > 0; most /= 2)
        --bits;
    return bits;
}

// Computes offset + k·step for `count` values of k centred on 0, in units of 1/unit. Results are accurate to half a
// unit, so that all but one in 10⁷ positions fall on the same side of a tie as in `exact`.
template <int count>
HWY_INLINE void fixedPositions(double offset, double step, double unit, std::int32_t* out)
{
    const Doubles d;
    const hn::Rebind<std::int32_t, Doubles> di;
    const auto scaledStep = hn::Set(d, step * unit), scaledOffset = hn::Set(d, offset * unit);
    for (int k = 0; k < count; k += static_cast<int>(hn::Lanes(d))) {
        const auto distance = hn::Add(hn::Iota(d, k), hn::Set(d, (1 - count) / 2.0));
        hn::Store(hn::DemoteTo(di, hn::Round(hn::MulAdd(distance, scaledStep, scaledOffset))), di, out + k);
    }
}

} // namespace
} // namespace HWY_NAMESPACE
} // namespace engine
HWY_AFTER_NAMESPACE();

#endif
