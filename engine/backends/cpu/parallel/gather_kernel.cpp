// SPDX-License-Identifier: GPL-3.0-or-later
// Kernel for one slice with pixels far apart (coarse previews): gathers bins from memory, with positions in double
// precision.
#include "engine/backends/cpu/parallel/kernels.h"

#include "engine/base/targets-inl.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/backends/cpu/parallel/gather_kernel.cpp"
#include <hwy/foreach_target.h>

#include <hwy/highway.h>

#include "engine/base/chosen_target-inl.h"

HWY_BEFORE_NAMESPACE();
namespace engine
{
namespace HWY_NAMESPACE
{
namespace
{

namespace hn = hwy::HWY_NAMESPACE;

constexpr int gatherLanes = HWY_MAX_BYTES / 8 < 8 ? HWY_MAX_BYTES / 8 : 8;
using Doubles = hn::FixedTag<double, gatherLanes>;
using Floats = hn::Rebind<float, Doubles>;
using Ints = hn::Rebind<std::int32_t, Doubles>;

template <Interpolation interpolation>
HWY_INLINE void addPixels(const TileArguments& tile, const float* row, double rowPosition, const double* offsets,
                          float* sums)
{
    const Doubles d;
    const Floats df;
    const Ints di;
    const auto half = hn::Set(d, 0.5), steps = hn::Set(d, static_cast<double>(tile.oversampling)),
               inverse = hn::Set(d, 1.0 / tile.oversampling);
    const auto h = hn::Add(hn::Set(d, rowPosition), hn::LoadU(d, offsets));
    hn::Vec<Doubles> left, rest = hn::Zero(d);
    if constexpr (interpolation == Interpolation::nearest) {
        left = hn::Floor(hn::Add(h, half));
    } else if constexpr (interpolation == Interpolation::oversampled) {
        const auto position = hn::Floor(hn::MulAdd(h, steps, half));
        left = hn::Floor(hn::Mul(hn::Add(position, half), inverse));
        rest = hn::Mul(hn::NegMulAdd(left, steps, position), inverse);
    } else {
        left = hn::Floor(h);
        rest = hn::Sub(h, left);
    }
    const auto bin = hn::Min(hn::Max(hn::DemoteTo(di, left), hn::Set(di, -3)), hn::Set(di, tile.binCount + 1));
    const auto f = hn::DemoteTo(df, rest);
    const auto at = [&](int k) HWY_ATTR { return hn::GatherIndex(df, row + k, bin); };
    auto sum = hn::LoadU(df, sums);
    if constexpr (interpolation == Interpolation::nearest) {
        sum = hn::Add(sum, at(0));
    } else if constexpr (interpolation == Interpolation::cubic) {
        const auto one = hn::Set(df, 1.0f), square = hn::Mul(f, f);
        const auto number = [&](float x) HWY_ATTR { return hn::Set(df, x); };
        const auto w0 = hn::Mul(f, hn::MulAdd(f, hn::NegMulAdd(number(0.5f), f, one), number(-0.5f)));
        const auto w1 = hn::MulAdd(square, hn::MulAdd(number(1.5f), f, number(-2.5f)), one);
        const auto w2 = hn::Mul(f, hn::MulAdd(f, hn::NegMulAdd(number(1.5f), f, number(2.0f)), number(0.5f)));
        const auto w3 = hn::Mul(square, hn::MulAdd(number(0.5f), f, number(-0.5f)));
        sum = hn::MulAdd(w0, at(-1), hn::MulAdd(w1, at(0), hn::MulAdd(w2, at(1), hn::MulAdd(w3, at(2), sum))));
    } else {
        const auto value = at(0);
        sum = hn::Add(sum, hn::MulAdd(f, hn::Sub(at(1), value), value));
    }
    hn::StoreU(sum, df, sums);
}

template <Interpolation interpolation>
void addTile(const TileArguments& tile)
{
    for (int p = 0; p < tile.projections; ++p) {
        const float* bins = static_cast<const float*>(tile.bins) + p * tile.stride;
        const double* offsets = tile.columnOffsets + p * maxTileEdge;
        for (int row = 0; row < tile.rows; ++row)
            for (int column = 0; column < tile.columns; column += gatherLanes)
                addPixels<interpolation>(tile, bins, tile.rowPositions[p * maxTileEdge + row], offsets + column,
                                         tile.sums + row * maxTileEdge + column);
    }
}

} // namespace

TileKernel gatherKernelOf(Interpolation interpolation)
{
    switch (interpolation) {
    case Interpolation::nearest:
        return addTile<Interpolation::nearest>;
    case Interpolation::oversampled:
        return addTile<Interpolation::oversampled>;
    case Interpolation::cubic:
        return addTile<Interpolation::cubic>;
    case Interpolation::linear:
        break;
    }
    return addTile<Interpolation::linear>;
}

} // namespace HWY_NAMESPACE
} // namespace engine
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace engine
{

HWY_EXPORT(gatherKernelOf);

TileKernel gatherKernel(Interpolation interpolation)
{
    return SINOSCOPE_DISPATCH(gatherKernelOf)(interpolation);
}

} // namespace engine
#endif
