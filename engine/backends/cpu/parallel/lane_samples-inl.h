// SPDX-License-Identifier: GPL-3.0-or-later
// Positions and weights with which the pixels of a square read the bins of a block of projections; compiled per
// instruction set.

#if defined(SINOSCOPE_LANE_SAMPLES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SINOSCOPE_LANE_SAMPLES_INL_H
#undef SINOSCOPE_LANE_SAMPLES_INL_H
#else
#define SINOSCOPE_LANE_SAMPLES_INL_H
#endif

#include "engine/backends/cpu/parallel/kernels.h"
#include "engine/backends/cpu/parallel/positions-inl.h"

#include <hwy/highway.h>

#include <bit>
#include <cmath>

HWY_BEFORE_NAMESPACE();
namespace engine
{
namespace HWY_NAMESPACE
{
namespace
{

namespace hn = hwy::HWY_NAMESPACE;

// Pixels are processed in squares that are small enough for their bins to stay near the first-level cache.
constexpr int squareEdge = 8;
constexpr int squarePixels = squareEdge * squareEdge;

constexpr int weightsOf(Interpolation interpolation)
{
    return interpolation == Interpolation::nearest ? 0 : interpolation == Interpolation::cubic ? 4 : 1;
}

// Samples that the pixels of a square read. offset: of the left bin's first slice, from the block's first projection.
// weights: a single weight w is that of the right bin, and the left bin has the weight 1 − w; four weights are those
// of bins −1…2. pairs (for fixedPairs): the two weights of a pair as 16-bit numbers in one word, in units of
// 1/4096 (cubic: 1/2048).
struct LaneSamples {
    alignas(64) std::int32_t offset[projectionsPerBlock][squarePixels];
    alignas(64) float weights[4][projectionsPerBlock][squarePixels];
    alignas(64) std::int32_t pairs[2][projectionsPerBlock][squarePixels];
};

using SampleFloats = hn::FixedTag<float, lanes>;
using SampleInts = hn::FixedTag<std::int32_t, lanes>;

// Fixed-point format of positions: units of 2^−shift bins, and a mask of the fraction's used bits. Oversampling by a
// power of two is linear interpolation with fewer of these bits; other numbers of steps need a division.
struct FixedPoint {
    explicit FixedPoint(Interpolation interpolation, BinStorage storage, int oversampling)
    {
        const bool oversampled = interpolation == Interpolation::oversampled;
        steps = oversampled ? oversampling : 1;
        bits = fractionBits(steps);
        unit = std::ldexp(static_cast<double>(steps), bits);
        divides = (steps & (steps - 1)) != 0;
        shift = bits + (divides ? 0 : std::countr_zero(static_cast<unsigned>(steps)));
        mask = oversampled ? (steps - 1) << bits : (1 << bits) - 1;
        // Added for rounding to the nearest step, bin, or weight of a pair.
        rounding = stepped(interpolation)                                                        ? 0.5 / steps
                   : storage == BinStorage::fixedPairs && interpolation == Interpolation::linear ? 0.5 / pairUnit
                                                                                                 : 0.0;
    }

    static constexpr int pairUnit = 4096, pairBits = 12;
    int steps, bits, shift;
    std::int32_t mask;
    double unit;     // units per bin
    double rounding; // in bins
    bool divides;
};

// Positions of a square's pixels relative to its middle, the same for all squares of a tile.
struct SquarePositions {
    SquarePositions(const TileArguments& tile, const FixedPoint& point)
    {
        for (int p = 0; p < tile.projections; ++p) {
            alignas(64) std::int32_t columns[squareEdge], rows[squareEdge];
            fixedPositions<squareEdge>(0, tile.cosine[p] * tile.step, point.unit, columns);
            fixedPositions<squareEdge>(0, -tile.sine[p] * tile.step, point.unit, rows);
            const hn::CappedTag<std::int32_t, squareEdge> d;
            for (int row = 0; row < squareEdge; ++row)
                for (int column = 0; column < squareEdge; column += static_cast<int>(hn::Lanes(d)))
                    hn::Store(hn::Add(hn::Load(d, columns + column), hn::Set(d, rows[row])), d,
                              fromMiddle[p] + row * squareEdge + column);
        }
    }

    alignas(64) std::int32_t fromMiddle[projectionsPerBlock][squarePixels];
};

// Packs two weights into one word, with `left` in the lower 16 bits.
HWY_INLINE hn::Vec<SampleInts> pairOf(hn::Vec<SampleFloats> left, hn::Vec<SampleFloats> right, float unit)
{
    const SampleFloats df;
    const auto scale = hn::Set(df, unit);
    const auto low = hn::NearestInt(hn::Mul(left, scale)), high = hn::NearestInt(hn::Mul(right, scale));
    return hn::Or(hn::ShiftLeft<16>(high), hn::And(low, hn::Set(SampleInts(), 0xffff)));
}

// Computes Catmull-Rom weights (Keys' cubic with a = −1/2) of the bins −1…2, counted from the left bin.
template <BinStorage storage>
HWY_INLINE void findCubicWeights(hn::Vec<SampleFloats> f, int p, int pixel, LaneSamples& out)
{
    const SampleFloats d;
    const SampleInts di;
    const auto number = [&](float x) HWY_ATTR { return hn::Set(d, x); };
    const auto square = hn::Mul(f, f);
    const auto w0 = hn::Mul(f, hn::MulAdd(f, hn::NegMulAdd(number(0.5f), f, number(1.0f)), number(-0.5f)));
    const auto w1 = hn::MulAdd(square, hn::MulAdd(number(1.5f), f, number(-2.5f)), number(1.0f));
    const auto w2 = hn::Mul(f, hn::MulAdd(f, hn::NegMulAdd(number(1.5f), f, number(2.0f)), number(0.5f)));
    const auto w3 = hn::Mul(square, hn::MulAdd(number(0.5f), f, number(-0.5f)));
    if constexpr (storage == BinStorage::fixedPairs) {
        hn::Store(pairOf(w0, w1, 2048), di, out.pairs[0][p] + pixel);
        hn::Store(pairOf(w2, w3, 2048), di, out.pairs[1][p] + pixel);
    } else {
        hn::Store(w0, d, out.weights[0][p] + pixel);
        hn::Store(w1, d, out.weights[1][p] + pixel);
        hn::Store(w2, d, out.weights[2][p] + pixel);
        hn::Store(w3, d, out.weights[3][p] + pixel);
    }
}

// fraction: 0…2^shift − 1.
template <Interpolation interpolation, BinStorage storage>
HWY_INLINE void findWeights(hn::Vec<SampleInts> fraction, const FixedPoint& point, int p, int pixel, LaneSamples& out)
{
    const SampleFloats d;
    const SampleInts di;
    if constexpr (storage == BinStorage::fixedPairs && interpolation != Interpolation::cubic) {
        const auto right =
            point.divides ? hn::NearestInt(hn::Mul(hn::ConvertTo(d, fraction),
                                                   hn::Set(d, static_cast<float>(FixedPoint::pairUnit / point.unit))))
                          : hn::ShiftRightSame(fraction, point.shift - FixedPoint::pairBits);
        const auto left = hn::Sub(hn::Set(di, FixedPoint::pairUnit), right);
        hn::Store(hn::Add(hn::ShiftLeft<16>(right), left), di, out.pairs[0][p] + pixel);
    } else {
        const auto f = hn::Mul(hn::ConvertTo(d, fraction), hn::Set(d, static_cast<float>(1 / point.unit)));
        if constexpr (interpolation == Interpolation::cubic)
            findCubicWeights<storage>(f, p, pixel, out);
        else
            hn::Store(f, d, out.weights[0][p] + pixel);
    }
}

template <Interpolation interpolation, BinStorage storage, int slices>
HWY_INLINE void findSamples(const TileArguments& tile, const FixedPoint& point, const SquarePositions& positions,
                            int column, int row, LaneSamples& out)
{
    const SampleFloats d;
    const SampleInts di;
    constexpr int perBin = slices * (storage == BinStorage::fixedPairs ? 2 : 1); // stored values
    constexpr int perBinBits = std::countr_zero(static_cast<unsigned>(perBin));
    constexpr double middle = (squareEdge - 1) / 2.0;
    const auto mask = hn::Set(di, point.mask);
    Middles middles;
    findMiddles(tile, column + middle, row + middle, 10, middles);
    for (int p = 0; p < tile.projections; ++p) {
        const auto start = hn::Set(di, static_cast<std::int32_t>(p * tile.stride + middles.bin[p] * perBin));
        const auto rest = hn::Set(di, static_cast<std::int32_t>((middles.rest[p] + point.rounding) * point.unit + 0.5));
        for (int pixel = 0; pixel < squarePixels; pixel += lanes) {
            const auto h = hn::Add(hn::Load(di, positions.fromMiddle[p] + pixel), rest);
            auto bin = hn::ShiftRightSame(h, point.shift);
            if (interpolation == Interpolation::oversampled && point.divides) {
                // (number + ½)/steps is at least 1/(2·steps) away from an integer, far more than its rounding error.
                const auto number = hn::ConvertTo(d, bin);
                const auto left = hn::Floor(
                    hn::Mul(hn::Add(number, hn::Set(d, 0.5f)), hn::Set(d, 1.0f / static_cast<float>(point.steps))));
                const auto step = hn::Sub(bin, hn::Mul(hn::ConvertTo(di, left), hn::Set(di, point.steps)));
                bin = hn::ConvertTo(di, left);
                findWeights<interpolation, storage>(hn::ShiftLeftSame(step, point.bits), point, p, pixel, out);
            } else if constexpr (interpolation != Interpolation::nearest) {
                findWeights<interpolation, storage>(hn::And(h, mask), point, p, pixel, out);
            }
            hn::Store(hn::Add(hn::ShiftLeft<perBinBits>(bin), start), di, out.offset[p] + pixel);
        }
    }
}

} // namespace
} // namespace HWY_NAMESPACE
} // namespace engine
HWY_AFTER_NAMESPACE();

#endif
