// SPDX-License-Identifier: GPL-3.0-or-later
// Kernel for rows of a slice and any projection matrices. Along a row of voxels, the bin, the detector row and 1/w are
// quotients of linear functions. They are computed in double precision for the first voxel of a vector, and in single
// precision relative to it for the other voxels. A vector meets some rows of the detector; for each row, two registers
// hold the bins that the vector meets, and these are permuted to the voxels. If voxels lie too far apart for that,
// their four values are gathered.
#include "engine/backends/cpu/cone/cone_kernels.h"

#include <algorithm>
#include <cmath>

#include "engine/base/targets-inl.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/backends/cpu/cone/rows_kernel.cpp"
#include <hwy/foreach_target.h>

#include "engine/backends/cpu/cone/two_registers-inl.h"

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

constexpr int groupsPerRow = rowTileColumns / lanes;
constexpr int mostRowsPerGroup = 8; // beyond, gathering is as fast
static_assert(groupsPerRow % doubles == 0);

// Positions at which a row of voxels meets a projection: two per vector, those of its first and of its last voxel.
struct RowMeetings {
    alignas(64) double bin[groupsPerRow], lastBin[groupsPerRow];
    alignas(64) double row[groupsPerRow], lastRow[groupsPerRow];
    // Voxel i of a vector meets bin + binStep·i·t and row + rowStep·i·t, with t = 1/(1 + perspective·i);
    // 1/w² = weight·t².
    alignas(64) float binStep[groupsPerRow], rowStep[groupsPerRow], perspective[groupsPerRow], weight[groupsPerRow];
};

// For `nearest` half a bin and half a row are added, so that rounding down gives the nearest.
template <Interpolation interpolation>
HWY_INLINE void findMeetings(const ConeTile& tile, int p, int j, RowMeetings& out)
{
    const Doubles d;
    const DoubleFloats df;
    const ProjectionMatrix& m = tile.views[p];
    const VD half = hn::Set(d, interpolation == Interpolation::nearest ? 0.5 : 0), one = hn::Set(d, 1.0);
    const double end = tile.column + tile.columns - 1;
    const auto line = [&](const double* v, VD i) HWY_ATTR {
        return hn::MulAdd(i, hn::Set(d, v[0]), hn::Set(d, v[1] * j + v[2] * tile.slice + v[3]));
    };
    for (int g = 0; g * lanes < tile.columns; g += doubles) {
        const VD first = hn::MulAdd(hn::Iota(d, g), hn::Set(d, lanes), hn::Set(d, tile.column));
        const VD last = hn::Min(hn::Add(first, hn::Set(d, lanes - 1.0)), hn::Set(d, end));
        const VD inverse = hn::Div(one, line(&m[8], first)), lastInverse = hn::Div(one, line(&m[8], last));
        const VD bin = hn::Mul(line(&m[0], first), inverse), row = hn::Mul(line(&m[4], first), inverse);
        hn::Store(hn::Add(bin, half), d, out.bin + g);
        hn::Store(hn::Add(row, half), d, out.row + g);
        hn::Store(hn::MulAdd(line(&m[0], last), lastInverse, half), d, out.lastBin + g);
        hn::Store(hn::MulAdd(line(&m[4], last), lastInverse, half), d, out.lastRow + g);
        const VD w = hn::Set(d, m[8]);
        hn::Store(hn::DemoteTo(df, hn::Mul(hn::NegMulAdd(bin, w, hn::Set(d, m[0])), inverse)), df, out.binStep + g);
        hn::Store(hn::DemoteTo(df, hn::Mul(hn::NegMulAdd(row, w, hn::Set(d, m[4])), inverse)), df, out.rowStep + g);
        hn::Store(hn::DemoteTo(df, hn::Mul(w, inverse)), df, out.perspective + g);
        hn::Store(hn::DemoteTo(df, hn::Mul(inverse, inverse)), df, out.weight + g);
    }
}

struct Positions {
    V bin, row; // relative to fromBin and fromRow
    V weight;
};

HWY_INLINE Positions positionsOf(const RowMeetings& at, int g, double fromBin, double fromRow)
{
    const Floats d;
    const V i = hn::Iota(d, 0), w = hn::MulAdd(i, hn::Set(d, at.perspective[g]), hn::Set(d, 1.0f));
    V t = hn::ApproximateReciprocal(w);
    t = hn::Mul(t, hn::NegMulAdd(w, t, hn::Set(d, 2.0f)));
    const V along = hn::Mul(i, t);
    return {hn::MulAdd(hn::Set(d, at.binStep[g]), along, hn::Set(d, static_cast<float>(at.bin[g] - fromBin))),
            hn::MulAdd(hn::Set(d, at.rowStep[g]), along, hn::Set(d, static_cast<float>(at.row[g] - fromRow))),
            hn::Mul(hn::Mul(t, t), hn::Set(d, at.weight[g]))};
}

HWY_INLINE const float* binsOf(const SinogramView& filtered, int row, int projection)
{
    return filtered.floats.data() +
           (static_cast<std::ptrdiff_t>(row) * filtered.projections + projection) * filtered.bins;
}

constexpr int copiedBins = 2 * lanes + 1; // as many as Chosen reads

// Copies copiedBins bins, from `first` on, with zeros beyond the detector.
HWY_NOINLINE void copyBins(const float* row, int bins, int first, float* out)
{
    for (int n = 0; n < copiedBins; ++n)
        out[n] = first + n >= 0 && first + n < bins ? row[first + n] : 0;
}

// Adds values in the same way as `exact`, because some of the voxels lie close to a tie.
HWY_NOINLINE V addNearest(const SinogramView& filtered, const ConeTile& tile, int p, int i, int j, V sum)
{
    const Floats d;
    alignas(64) float values[lanes] = {};
    for (int lane = 0; lane < lanes && i + lane < tile.column + tile.columns; ++lane) {
        const Meeting at = meetingOf(tile.views[p], i + lane, j, tile.slice);
        const double bin = std::floor(at.h + 0.5), row = std::floor(at.r + 0.5);
        if (bin >= 0 && bin < filtered.bins && row >= 0 && row < filtered.slices)
            values[lane] = static_cast<float>(1 / (at.w * at.w)) *
                           binsOf(filtered, static_cast<int>(row), tile.firstProjection + p)[static_cast<int>(bin)];
    }
    return hn::Add(sum, hn::Load(d, values));
}

HWY_INLINE bool hasTies(V rest)
{
    const Floats d;
    return !hn::AllFalse(d, hn::Lt(hn::Min(rest, hn::Sub(hn::Set(d, 1.0f), rest)), hn::Set(d, rowTieWidth)));
}

struct Rectangle { // bins and rows that a vector meets
    int firstBin, lastBin, firstRow, lastRow;
};

// Adds a vector that meets at most 2·lanes bins.
template <Interpolation interpolation, bool narrow>
HWY_INLINE V addPermuted(const SinogramView& filtered, const ConeTile& tile, const RowMeetings& meetings, int p, int g,
                         const Rectangle& met, int j, V sum)
{
    const Floats d;
    const Positions at = positionsOf(meetings, g, met.firstBin, met.firstRow);
#if SINOSCOPE_PERMUTES == 0 // clamped, because lanes beyond the last voxel may lie outside the registers
    const VI whole = wholeOf(hn::Min(hn::Max(at.bin, hn::Zero(d)), hn::Set(d, 2.0f * lanes - 2)));
#else
    const VI whole = wholeOf(at.bin);
#endif
    const V rest = hn::Sub(at.bin, asFloats(whole));
    const Chosen<narrow> chosen(whole);
    const V wholeRow = hn::Floor(at.row);
    if constexpr (interpolation == Interpolation::nearest)
        if (HWY_UNLIKELY(hasTies(rest) || hasTies(hn::Sub(at.row, wholeRow))))
            return addNearest(filtered, tile, p, tile.column + g * lanes, j, sum);
    const bool inside = met.firstBin >= 0 && met.firstBin + copiedBins <= filtered.bins;
    const int first = std::max(met.firstRow, 0), last = std::min(met.lastRow, filtered.slices - 1);
    V value = hn::Zero(d);
    for (int row = first; row <= last; ++row) {
        alignas(64) float copied[copiedBins];
        const float* from = binsOf(filtered, row, tile.firstProjection + p) + met.firstBin;
        if (HWY_UNLIKELY(!inside)) {
            copyBins(from - met.firstBin, filtered.bins, met.firstBin, copied);
            from = copied;
        }
        const V here = hn::Set(d, static_cast<float>(row - met.firstRow));
        if constexpr (interpolation == Interpolation::nearest) {
            value = hn::IfThenElse(hn::Eq(wholeRow, here), chosen.from(from).value, value);
        } else {
            const Pair pair = chosen.from(from);
            const V both = hn::MulAdd(rest, hn::Sub(pair.next, pair.value), pair.value);
            const V weight = hn::Sub(hn::Set(d, 1.0f), hn::Abs(hn::Sub(at.row, here)));
            value = hn::IfThenElse(hn::Gt(weight, hn::Zero(d)), hn::MulAdd(weight, both, value), value);
        }
    }
    return hn::MulAdd(at.weight, value, sum);
}

// Returns one value per lane; zero beyond the detector. Rows lie too far apart for gathers with 32-bit offsets.
HWY_INLINE V gatherAt(const SinogramView& filtered, int projection, VI row, VI bin)
{
    const Floats d;
    const Ints di;
    alignas(64) std::int32_t rows[lanes], bins[lanes];
    alignas(64) float values[lanes];
    hn::Store(row, di, rows);
    hn::Store(bin, di, bins);
    for (int lane = 0; lane < lanes; ++lane) {
        const bool inside =
            bins[lane] >= 0 && bins[lane] < filtered.bins && rows[lane] >= 0 && rows[lane] < filtered.slices;
        values[lane] = inside ? binsOf(filtered, rows[lane], projection)[bins[lane]] : 0;
    }
    return hn::Load(d, values);
}

template <Interpolation interpolation>
HWY_NOINLINE V addGathered(const SinogramView& filtered, const ConeTile& tile, const RowMeetings& meetings, int p,
                           int g, const Rectangle& met, int j, V sum)
{
    const Floats d;
    const Ints di;
    const Positions at = positionsOf(meetings, g, met.firstBin, met.firstRow);
    const V most = hn::Set(d, 1e6f); // for lanes beyond the last voxel
    const V wholeBin = hn::Floor(hn::Min(hn::Max(at.bin, hn::Neg(most)), most)), bin = hn::Sub(at.bin, wholeBin);
    const V wholeRow = hn::Floor(hn::Min(hn::Max(at.row, hn::Neg(most)), most)), row = hn::Sub(at.row, wholeRow);
    const VI b = hn::Add(hn::ConvertTo(di, wholeBin), hn::Set(di, met.firstBin));
    const VI r = hn::Add(hn::ConvertTo(di, wholeRow), hn::Set(di, met.firstRow));
    const int projection = tile.firstProjection + p;
    if constexpr (interpolation == Interpolation::nearest) {
        if (HWY_UNLIKELY(hasTies(bin) || hasTies(row)))
            return addNearest(filtered, tile, p, tile.column + g * lanes, j, sum);
        return hn::MulAdd(at.weight, gatherAt(filtered, projection, r, b), sum);
    } else {
        const VI one = hn::Set(di, 1), nextBin = hn::Add(b, one);
        const auto between = [&](VI rows) HWY_ATTR {
            const V left = gatherAt(filtered, projection, rows, b);
            return hn::MulAdd(bin, hn::Sub(gatherAt(filtered, projection, rows, nextBin), left), left);
        };
        const V top = between(r);
        return hn::MulAdd(at.weight, hn::MulAdd(row, hn::Sub(between(hn::Add(r, one)), top), top), sum);
    }
}

template <Interpolation interpolation>
HWY_INLINE V addGroup(const SinogramView& filtered, const ConeTile& tile, const RowMeetings& meetings, int p, int g,
                      int j, V sum)
{
    const double low = std::min(meetings.bin[g], meetings.lastBin[g]),
                 high = std::max(meetings.bin[g], meetings.lastBin[g]);
    const double lowRow = std::min(meetings.row[g], meetings.lastRow[g]),
                 highRow = std::max(meetings.row[g], meetings.lastRow[g]);
    if (!(high > -1 && low < filtered.bins + 1 && highRow > -1 && lowRow < filtered.slices + 1))
        return sum;
    const double most = 1e9; // fits an integer
    const Rectangle met{static_cast<int>(std::floor(std::max(low, -most))),
                        static_cast<int>(std::floor(std::min(high, most))) + 1,
                        static_cast<int>(std::floor(std::max(lowRow, -most))),
                        static_cast<int>(std::floor(std::min(highRow, most))) + 1};
    const std::int64_t span = std::int64_t{met.lastBin} - met.firstBin;
    if (HWY_UNLIKELY(span > 2 * lanes - 1 || std::int64_t{met.lastRow} - met.firstRow >= mostRowsPerGroup))
        return addGathered<interpolation>(filtered, tile, meetings, p, g, met, j, sum);
    if (SINOSCOPE_PERMUTES == 1 && span <= lanes - 1)
        return addPermuted<interpolation, true>(filtered, tile, meetings, p, g, met, j, sum);
    return addPermuted<interpolation, false>(filtered, tile, meetings, p, g, met, j, sum);
}

template <Interpolation interpolation>
void addRows(const SinogramView& filtered, const ConeTile& tile)
{
    const Floats d;
    RowMeetings meetings[coneProjectionsPerBlock];
    for (int j = 0; j < tile.rows; ++j) {
        for (int p = 0; p < tile.projections; ++p)
            findMeetings<interpolation>(tile, p, tile.row + j, meetings[p]);
        for (int g = 0; g * lanes < tile.columns; ++g) {
            float* at = tile.sums + j * rowTileColumns + g * lanes;
            V sum = hn::Load(d, at);
            for (int p = 0; p < tile.projections; ++p)
                sum = addGroup<interpolation>(filtered, tile, meetings[p], p, g, tile.row + j, sum);
            hn::Store(sum, d, at);
        }
    }
}

} // namespace

ConeRowKernel rowKernelOf(Interpolation interpolation)
{
    return interpolation == Interpolation::nearest ? addRows<Interpolation::nearest> : addRows<Interpolation::linear>;
}

} // namespace HWY_NAMESPACE
} // namespace engine
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace engine
{

HWY_EXPORT(rowKernelOf);

ConeRowKernel rowKernel(Interpolation interpolation)
{
    return SINOSCOPE_DISPATCH(rowKernelOf)(interpolation);
}

} // namespace engine
#endif
