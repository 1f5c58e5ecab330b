// SPDX-License-Identifier: GPL-3.0-or-later
// Kernel for columns of voxels along the axis. All voxels of a column meet the same position between two bins (Chen
// et al. (IPSJ report), section 3.1.2). The two bins are interpolated and weighted first. The result is a short column
// of rows that stays in the first-level cache (their sub-line, section 3.2.1). A vector of voxels meets at most as many
// of these rows as two registers hold, so rows are permuted to the voxels, not gathered. If the geometry is mirrored,
// positions serve both halves of the volume; each half reads its own rows of the projections.
#include "engine/backends/cpu/cone/cone_kernels.h"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

#include "engine/base/targets-inl.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/backends/cpu/cone/columns_kernel.cpp"
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

constexpr int chunk = 256; // voxels of a half whose rows are interpolated together
constexpr int groups = chunk / lanes;
// Largest number of rows that are interpolated for a chunk, in whole vectors: from the vector that holds the chunk's
// first row to the end of the two registers that its last group reads.
constexpr int tableRows = (2 * lanes + static_cast<int>(chunk * mostRowsPerVoxel) + 2 + 2 * lanes) / lanes * lanes;
constexpr int missed = -9; // marks columns that miss the detector

// Positions and weights with which a row of columns meets the projections of a block.
struct Meetings {
    alignas(64) std::int32_t bins[coneProjectionsPerBlock][coneTileColumns];
    alignas(64) float weights[2][coneProjectionsPerBlock][coneTileColumns]; // of the bin and the next, with 1/w²
    alignas(64) double rows[coneProjectionsPerBlock][coneTileColumns];      // at the tile's first voxel
    alignas(64) double steps[coneProjectionsPerBlock][coneTileColumns];     // rows to the next voxel
};

HWY_INLINE void findMeetings(const StoredColumns& stored, const ConeTile& tile, int p, int j, Meetings& out)
{
    const Doubles d;
    const ProjectionMatrix& m = tile.views[p];
    const auto one = hn::Set(d, 1.0);
    const auto line = [&](const double* v)
                          HWY_ATTR { return hn::Set(d, v[0] * tile.column + v[1] * j + v[2] * tile.slice + v[3]); };
    for (int c = 0; c < coneTileColumns; c += doubles) {
        const auto i = hn::Iota(d, c);
        const auto inverse = hn::Div(one, hn::MulAdd(i, hn::Set(d, m[8]), line(&m[8])));
        const auto h = hn::Mul(hn::MulAdd(i, hn::Set(d, m[0]), line(&m[0])), inverse);
        const auto left = hn::Floor(h);
        const auto weight = hn::Mul(inverse, inverse), right = hn::Mul(weight, hn::Sub(h, left));
        const auto inside = hn::And(hn::Gt(h, hn::Set(d, -1.0)), hn::Lt(h, hn::Set(d, stored.bins)));
        const auto bin = hn::IfThenElse(inside, left, hn::Set(d, missed));
        hn::Store(hn::DemoteTo(DoubleInts(), bin), DoubleInts(), out.bins[p] + c);
        hn::Store(hn::DemoteTo(DoubleFloats(), hn::Sub(weight, right)), DoubleFloats(), out.weights[0][p] + c);
        hn::Store(hn::DemoteTo(DoubleFloats(), right), DoubleFloats(), out.weights[1][p] + c);
        hn::Store(hn::Mul(hn::MulAdd(i, hn::Set(d, m[4]), line(&m[4])), inverse), d, out.rows[p] + c);
        hn::Store(hn::Mul(hn::Set(d, m[6]), inverse), d, out.steps[p] + c);
    }
}

// Finds the same bins as `exact`.
HWY_INLINE void findNearestBins(const StoredColumns& stored, const ConeTile& tile, int p, int j, Meetings& out)
{
    for (int c = 0; c < tile.columns; ++c) {
        const Meeting at = meetingOf(tile.views[p], tile.column + c, j, 0);
        const double bin = std::floor(at.h + 0.5);
        out.bins[p][c] = bin >= 0 && bin < stored.bins ? static_cast<std::int32_t>(bin) : missed;
        out.weights[0][p][c] = static_cast<float>(1 / (at.w * at.w));
    }
}

// Rows of interpolated values that a column of voxels meets in one projection, and the positions of its groups.
struct Rows {
    alignas(64) float values[2][tableRows];
    alignas(64) std::int32_t bases[groups]; // row at the start of the first register
    alignas(64) float rests[groups];        // rows from there to the group's first voxel
    float step;
    int first; // row of values[…][0]
    int projection;
};

// Finds the rows that the groups meet. For `nearest` half a row is added, so that rounding down gives the nearest
// row.
template <Interpolation interpolation>
HWY_INLINE void findGroups(int storedRows, double row, double step, int count, Rows& out)
{
    constexpr bool nearest = interpolation == Interpolation::nearest;
    const Doubles d;
    // Groups that begin beyond these limits meet only zeros, so their positions can be clamped to the limits.
    const auto least = hn::Set(d, -2.0 * lanes + 0.37), most = hn::Set(d, storedRows + 2.37);
    const auto toGroup = hn::Set(d, step * lanes), offset = hn::Set(d, nearest ? row + 0.5 : row);
    for (int g = 0; g < count; g += doubles) {
        const auto r = hn::Min(hn::Max(hn::MulAdd(hn::Iota(d, g), toGroup, offset), least), most);
        auto base = hn::Floor(r);
        if constexpr (nearest) // a tie may round to the previous row
            base = hn::Sub(base, hn::Set(d, 1.0));
        hn::Store(hn::DemoteTo(DoubleInts(), base), DoubleInts(), out.bases + g);
        hn::Store(hn::DemoteTo(DoubleFloats(), hn::Sub(r, base)), DoubleFloats(), out.rests + g);
    }
    out.step = static_cast<float>(step);
}

template <class Stored>
HWY_INLINE V loadStored(const Stored* from)
{
    const Floats d;
    if constexpr (std::is_same_v<Stored, float>)
        return hn::LoadU(d, from);
    else
        return hn::PromoteTo(d, hn::LoadU(hn::Rebind<hwy::float16_t, Floats>(), from));
}

// Interpolates `vectors` vectors of rows of one half. `first` is the first row, a multiple of the vector length.
template <Interpolation interpolation, class Stored>
HWY_INLINE void fillRows(const Stored* bin, std::ptrdiff_t binStride, int rowCount, V left, V right, int first,
                         int vectors, float* out)
{
    const Floats d;
    const Stored* next = bin + binStride;
    for (int n = 0; n < vectors; ++n) {
        const int row = first + n * lanes;
        V value = hn::Zero(d);
        if (HWY_LIKELY(row >= 0 && row < rowCount)) {
            value = hn::Mul(left, loadStored(bin + row));
            if constexpr (interpolation == Interpolation::linear)
                value = hn::MulAdd(right, loadStored(next + row), value);
        }
        hn::Store(value, d, out + n * lanes);
    }
}

// Returns how many vectors are enough for the rows that `voxels` voxels meet, in whichever lane of a vector the first
// row lies. Neighbouring voxels are `step` rows apart.
HWY_INLINE int vectorsFor(int voxels, double step)
{
    return (lanes - 1 + static_cast<int>((voxels - 1) * step) + 4 + lanes - 1) / lanes;
}

template <Interpolation interpolation, class Stored, int halves>
HWY_INLINE void findRows(const StoredColumns& stored, const ConeTile& tile, const Meetings& meetings, int p, int c,
                         int firstVoxel, int count, int vectors, Rows& out)
{
    const Floats d;
    const double step = meetings.steps[p][c];
    findGroups<interpolation>(stored.rows, meetings.rows[p][c] + firstVoxel * step, step, count, out);
    out.projection = p;
    out.first = out.bases[0] & ~(lanes - 1);
    const auto* bin = static_cast<const Stored*>(stored.projection(tile.firstProjection + p)) +
                      meetings.bins[p][c] * stored.binStride();
    const V left = hn::Set(d, meetings.weights[0][p][c]), right = hn::Set(d, meetings.weights[1][p][c]);
    for (int half = 0; half < halves; ++half)
        fillRows<interpolation>(bin + half * stored.rowStride, stored.binStride(), stored.rowStride, left, right,
                                out.first, vectors, out.values[half]);
}

// Returns whether the rows of a group fit one register (Chosen<narrow>).
template <Interpolation interpolation>
HWY_INLINE bool areNarrow(float step)
{
    return SINOSCOPE_PERMUTES == 1 &&
           step < (interpolation == Interpolation::linear ? 0.999f : (lanes - 2.001f) / (lanes - 1));
}

// Finds the rows of a group in the same way as `exact`, because some of its voxels lie close to a tie.
HWY_NOINLINE VI nearestRows(const ConeTile& tile, const Rows& rows, int i, int j, int firstVoxel, int group)
{
    alignas(64) std::int32_t index[lanes];
    for (int lane = 0; lane < lanes; ++lane) {
        const int k = tile.slice + firstVoxel + group * lanes + lane;
        const double row = std::floor(meetingOf(tile.views[rows.projection], i, j, k).r + 0.5);
        index[lane] = static_cast<std::int32_t>(std::clamp(row - rows.bases[group], 0.0, 2.0 * lanes - 1));
    }
    return hn::Load(Ints(), index);
}

struct Place {
    int i, j, firstVoxel; // of the voxels; firstVoxel: first one of group 0
};

template <Interpolation interpolation, int halves, bool narrow>
HWY_INLINE void addGroup(const ConeTile& tile, const Place& place, const Rows& rows, int group, V step, V* sums)
{
    const Floats d;
    const V r = hn::MulAdd(hn::Iota(d, 0), step, hn::Set(d, rows.rests[group]));
    VI whole = wholeOf(r);
    const V rest = hn::Sub(r, asFloats(whole)), other = hn::Sub(hn::Set(d, 1.0f), rest);
    const float* from = rows.values[0] + (rows.bases[group] - rows.first);
    if constexpr (interpolation == Interpolation::nearest) {
        const auto ties = hn::Lt(hn::Min(rest, other), hn::Set(d, floatTieWidth));
        if (HWY_UNLIKELY(!hn::AllFalse(d, ties)))
            whole = nearestRows(tile, rows, place.i, place.j, place.firstVoxel, group);
        sums[0] = hn::Add(sums[0], Chosen<narrow>(whole).from(from).value);
    } else {
        const Chosen<narrow> chosen(whole);
        for (int half = 0; half < halves; ++half, from += tableRows) {
            const Pair pair = chosen.from(from);
            sums[half] = hn::MulAdd(other, pair.value, sums[half]);
            sums[half] = hn::MulAdd(rest, pair.next, sums[half]);
        }
    }
}

template <int halves, std::size_t... s>
HWY_INLINE void loadColumn(const float* from, int voxels, V* sums, std::index_sequence<s...>)
{
    ((sums[s] = hn::LoadU(Floats(), from + s / halves * lanes + s % halves * voxels)), ...);
}

template <int halves, std::size_t... s>
HWY_INLINE void storeColumn(const V* sums, int voxels, float* to, std::index_sequence<s...>)
{
    (hn::StoreU(sums[s], Floats(), to + s / halves * lanes + s % halves * voxels), ...);
}

template <Interpolation interpolation, int halves, bool narrow, std::size_t... g>
HWY_INLINE void addProjection(const ConeTile& tile, const Place& place, const Rows& rows, int group, V* sums,
                              std::index_sequence<g...>)
{
    const V step = hn::Set(Floats(), rows.step);
    (addGroup<interpolation, halves, narrow>(tile, place, rows, group + g, step, sums + halves * g), ...);
}

// Adds all projections to `held` groups, from `group` on.
template <Interpolation interpolation, int halves, int held>
HWY_INLINE void addGroups(const ConeTile& tile, const Place& place, const Rows* rows, int count, int group,
                          float* column)
{
    constexpr auto all = std::make_index_sequence<held * halves>();
    constexpr auto each = std::make_index_sequence<held>();
    V sums[held * halves];
    float* at = column + group * lanes;
    loadColumn<halves>(at, tile.voxels, sums, all);
    for (int n = 0; n < count; ++n) {
        if (areNarrow<interpolation>(rows[n].step))
            addProjection<interpolation, halves, true>(tile, place, rows[n], group, sums, each);
        else
            addProjection<interpolation, halves, false>(tile, place, rows[n], group, sums, each);
    }
    storeColumn<halves>(sums, tile.voxels, at, all);
}

// Prefetches, into the second-level cache, the bins of the next block's projections that the tile meets. In each
// projection these bins are contiguous. With each column of the tile one share of them is fetched.
template <class Stored>
struct NextBlock {
    const char* from[coneProjectionsPerBlock];
    int lines[coneProjectionsPerBlock];
    int shares, share = 0;

    HWY_INLINE NextBlock(const StoredColumns& stored, const ConeTile& tile) : shares(tile.columns * tile.rows)
    {
        for (int p = 0; p < tile.nextProjections; ++p) {
            const ProjectionMatrix& m = tile.views[tile.projections + p];
            double least = stored.bins, most = -1;
            for (const int i : {tile.column, tile.column + tile.columns - 1})
                for (const int j : {tile.row, tile.row + tile.rows - 1}) {
                    const double h = (m[0] * i + m[1] * j + m[3]) / (m[8] * i + m[9] * j + m[11]);
                    least = std::min(least, h);
                    most = std::max(most, h);
                }
            const int first = static_cast<int>(std::clamp(least, 0.0, stored.bins - 1.0));
            const int end = static_cast<int>(std::clamp(most + 2, 0.0, static_cast<double>(stored.bins)));
            const auto* projection =
                static_cast<const Stored*>(stored.projection(tile.firstProjection + tile.projections + p));
            from[p] = reinterpret_cast<const char*>(projection + first * stored.binStride());
            lines[p] = static_cast<int>(std::max(0, end - first) * stored.binStride() * sizeof(Stored) / 64);
        }
    }

    HWY_INLINE void fetchShare(int nextProjections)
    {
        for (int p = 0; p < nextProjections; ++p)
            for (int line = lines[p] * share / shares; line < lines[p] * (share + 1) / shares; ++line)
                __builtin_prefetch(from[p] + 64 * static_cast<std::ptrdiff_t>(line), 0, 2);
        ++share;
    }
};

template <Interpolation interpolation, class Stored, int halves, int held>
void addColumns(const StoredColumns& stored, const ConeTile& tile)
{
    Meetings meetings;
    Rows rows[coneProjectionsPerBlock];
    NextBlock<Stored> nextBlock(stored, tile);
    for (int j = 0; j < tile.rows; ++j) {
        for (int p = 0; p < tile.projections; ++p) {
            findMeetings(stored, tile, p, tile.row + j, meetings);
            if constexpr (interpolation == Interpolation::nearest)
                findNearestBins(stored, tile, p, tile.row + j, meetings);
        }
        for (int voxel = 0; voxel < tile.voxels; voxel += chunk) {
            const int groupCount = std::min(chunk, tile.voxels - voxel) / lanes;
            int vectors[coneProjectionsPerBlock]; // the same for all columns, so that loop counts are predictable
            for (int p = 0; p < tile.projections; ++p)
                vectors[p] =
                    vectorsFor(groupCount * lanes, std::max(meetings.steps[p][0], meetings.steps[p][tile.columns - 1]));
            for (int c = 0; c < tile.columns; ++c) {
                if (voxel == 0)
                    nextBlock.fetchShare(tile.nextProjections);
                int count = 0;
                for (int p = 0; p < tile.projections; ++p)
                    if (meetings.bins[p][c] != missed)
                        findRows<interpolation, Stored, halves>(stored, tile, meetings, p, c, voxel, groupCount,
                                                                vectors[p], rows[count++]);
                const Place place{tile.column + c, tile.row + j, voxel};
                float* column =
                    tile.sums + (static_cast<std::ptrdiff_t>(j) * coneTileColumns + c) * halves * tile.voxels + voxel;
                int group = 0;
                for (; group + held <= groupCount; group += held)
                    addGroups<interpolation, halves, held>(tile, place, rows, count, group, column);
                for (; group < groupCount; ++group)
                    addGroups<interpolation, halves, 1>(tile, place, rows, count, group, column);
            }
        }
    }
}

template <Interpolation interpolation, class Stored, int halves>
ConeColumnKernel kernelHolding(int slices)
{
    if (slices >= 4 * lanes)
        return addColumns<interpolation, Stored, halves, 4>;
    return slices >= 2 * lanes ? addColumns<interpolation, Stored, halves, 2>
                               : addColumns<interpolation, Stored, halves, 1>;
}

template <class Stored>
ConeColumnKernel kernelReading(Interpolation interpolation, bool mirrored, int slices)
{
    if (interpolation == Interpolation::nearest)
        return kernelHolding<Interpolation::nearest, Stored, 1>(slices);
    return mirrored ? kernelHolding<Interpolation::linear, Stored, 2>(slices)
                    : kernelHolding<Interpolation::linear, Stored, 1>(slices);
}

} // namespace

ConeColumnKernel columnKernelOf(Interpolation interpolation, bool half, bool mirrored, int slices)
{
    return half ? kernelReading<hwy::float16_t>(interpolation, mirrored, slices)
                : kernelReading<float>(interpolation, mirrored, slices);
}

} // namespace HWY_NAMESPACE
} // namespace engine
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace engine
{

HWY_EXPORT(columnKernelOf);

ConeColumnKernel columnKernel(Interpolation interpolation, bool half, bool mirrored, int slices)
{
    return SINOSCOPE_DISPATCH(columnKernelOf)(interpolation, half, mirrored, slices);
}

} // namespace engine
#endif
