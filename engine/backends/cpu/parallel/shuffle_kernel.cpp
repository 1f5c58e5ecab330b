// SPDX-License-Identifier: GPL-3.0-or-later
// Kernel for one slice: a row of n pixels, where n is the number of lanes of a vector, meets at most n + 1 bins,
// which are held in registers and shuffled to the pixels (Chilingaryan et al. 2020 reads them from shared memory and
// textures).
#include "engine/backends/cpu/parallel/kernels.h"

#include <cmath>
#include <utility>

#include "engine/base/targets-inl.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/backends/cpu/parallel/shuffle_kernel.cpp"
#include <hwy/foreach_target.h>

#include "engine/backends/cpu/parallel/bin_tables-inl.h"
#include "engine/backends/cpu/parallel/positions-inl.h"
#include "engine/backends/cpu/parallel/tile_bins-inl.h"
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

// The pixels of a square of 16 × 16 share their bins. The sums of one vector of pixels in each of `rowsAtOnce` rows
// stay in registers.
constexpr int edge = 16;
constexpr int rowsAtOnce = SINOSCOPE_TWO_REGISTERS ? 16 : 8;
constexpr auto everyRow = std::make_index_sequence<rowsAtOnce>();

// The last bits of h + magic, |h| < 2²², are the integer nearest to h (Chilingaryan et al. 2020, section 6.6).
constexpr float magic = 12582912.0f; // 1.5·2²³

// Values that are the same for all pixels of a tile.
struct Constants {
    V magicV;
    V inverse;        // oversampled: 1 / positions per bin
    int fractionBits; // nearest and oversampled
};

// h of the square's rows and columns, relative to its middle bin; a pixel's h is the sum of both. Only one pair is
// used: floats, or fixed-point numbers.
struct Positions {
    Middles middles;
    alignas(64) float columns[projectionsPerBlock][edge]; // with `shift` and the middle's rest added
    alignas(64) float rows[projectionsPerBlock][edge];
    alignas(64) std::int32_t fixedColumns[projectionsPerBlock][edge]; // with half a step and the middle's rest added
    alignas(64) std::int32_t fixedRows[projectionsPerBlock][edge];
};

template <Interpolation interpolation>
HWY_INLINE void findPositions(const TileArguments& tile, const Constants& constants, int column, int row,
                              Positions& out)
{
    constexpr double middle = (edge - 1) / 2.0;
    findMiddles(tile, column + middle, row + middle, 20, out.middles);
    const Floats d;
    for (int p = 0; p < tile.projections; ++p) {
        const double across = tile.cosine[p] * tile.step, down = -tile.sine[p] * tile.step;
        if constexpr (stepped(interpolation)) {
            const double unit = std::ldexp(static_cast<double>(tile.oversampling), constants.fractionBits);
            fixedPositions<edge>(out.middles.rest[p] + 0.5 / tile.oversampling, across, unit, out.fixedColumns[p]);
            fixedPositions<edge>(0, down, unit, out.fixedRows[p]);
        } else {
            const V rest = hn::Set(d, static_cast<float>(out.middles.rest[p]) + shift);
            for (int k = 0; k < edge; k += lanes) {
                const V distance = hn::Add(hn::Iota(d, static_cast<float>(k)), hn::Set(d, -static_cast<float>(middle)));
                hn::Store(hn::MulAdd(hn::Set(d, static_cast<float>(across)), distance, rest), d, out.columns[p] + k);
                hn::Store(hn::Mul(hn::Set(d, static_cast<float>(down)), distance), d, out.rows[p] + k);
            }
        }
    }
}

// Column positions of one vector of pixels.
struct Columns {
    V floats;
    VI fixed;
};

template <Interpolation interpolation>
HWY_INLINE Columns columnsOf(const Positions& positions, int p, int column)
{
    Columns columns;
    if constexpr (stepped(interpolation))
        columns.fixed = hn::Load(Ints(), positions.fixedColumns[p] + column);
    else
        columns.floats = hn::Load(Floats(), positions.columns[p] + column);
    return columns;
}

// Returns the number of the nearest bin (nearest) or of the nearest sample position (oversampled).
HWY_INLINE VI numberAt(const Constants& constants, VI columns, std::int32_t row)
{
    return hn::ShiftRightSame(hn::Add(columns, hn::Set(Ints(), row)), constants.fractionBits);
}

HWY_INLINE V positionOf(const Constants& constants, VI number)
{
    return hn::MulAdd(hn::ConvertTo(Floats(), number), constants.inverse, hn::Set(Floats(), shift));
}

// Returns h relative to the middle bin, with `shift` added.
template <Interpolation interpolation>
HWY_INLINE V positionAt(const Constants& constants, const Positions& positions, const Columns& columns, int p, int row)
{
    if constexpr (stepped(interpolation))
        return positionOf(constants, numberAt(constants, columns.fixed, positions.fixedRows[p][row]));
    else
        return hn::Add(columns.floats, hn::Set(Floats(), positions.rows[p][row]));
}

template <std::size_t... row>
HWY_INLINE void loadSums(const float* from, V* sums, std::index_sequence<row...>)
{
    ((sums[row] = hn::Load(Floats(), from + row * maxTileEdge)), ...);
}

template <std::size_t... row>
HWY_INLINE void storeSums(const V* sums, float* to, std::index_sequence<row...>)
{
    (hn::Store(sums[row], Floats(), to + row * maxTileEdge), ...);
}

#if SINOSCOPE_TWO_REGISTERS

// Adds one row of pixels. Slot k of the two registers holds bin k, or bin k − 32 for k ≥ 16: the last five bits of an
// index select it.
template <Interpolation interpolation>
HWY_INLINE V addRow(const Constants& constants, const V* low, const V* high, const Columns& columns,
                    const Positions& positions, int p, int row, V sum)
{
    const V h = positionAt<interpolation>(constants, positions, columns, p, row);
    const V rounded = hn::Add(h, constants.magicV);
    const VI index = hn::BitCast(Ints(), rounded);
    const auto lookUp = [&](int k) HWY_ATTR { return V{_mm512_permutex2var_ps(low[k].raw, index.raw, high[k].raw)}; };
    return addValue<interpolation>(sum, h, hn::Sub(h, hn::Sub(rounded, constants.magicV)), lookUp);
}

template <Interpolation interpolation, std::size_t... row>
HWY_INLINE void addRows(const Constants& constants, const V* low, const V* high, const Columns& columns,
                        const Positions& positions, int p, V* sums, std::index_sequence<row...>)
{
    ((sums[row] = addRow<interpolation>(constants, low, high, columns, positions, p, row, sums[row])), ...);
}

template <Interpolation interpolation>
HWY_INLINE void addSquare(const TileArguments& tile, const TileBins& bins, const Constants& constants,
                          const Positions& positions, float* place)
{
    V sums[rowsAtOnce];
    loadSums(place, sums, everyRow);
    for (int p = 0; p < tile.projections; ++p) {
        const float* row = bins.at(p, positions.middles.bin[p]);
        V low[4], high[4];
        makeTables<interpolation>(row, 0, low);
        makeTables<interpolation>(row, -lanes, high);
        const Columns columns = columnsOf<interpolation>(positions, p, 0);
        addRows<interpolation>(constants, low, high, columns, positions, p, sums, everyRow);
    }
    storeSums(sums, place, everyRow);
}

#else

// For each row, the bins that a vector of pixels meets are loaded from its lowest bin on.
constexpr int firstTableBin = -12, tableBins = 32;

struct Tables {
    alignas(64) float values[4][projectionsPerBlock][tableBins];
    // Per vector of columns and row: index of its lowest bin in the tables, and the numbers that convert h or a bin
    // number to slots.
    alignas(64) std::int32_t start[projectionsPerBlock][edge / lanes][edge];
    alignas(64) float magics[projectionsPerBlock][edge / lanes][edge];              // magic − least bin
    alignas(64) std::int32_t leastNumbers[projectionsPerBlock][edge / lanes][edge]; // nearest
};

template <Interpolation interpolation>
HWY_INLINE void findStarts(const Constants& constants, const Positions& positions, int p, int group, bool falling,
                           Tables& out)
{
    const Floats d;
    const Ints di;
    // The row's first or last pixel has the lowest bin. It is computed as in the kernel, because it must give the
    // very same bin.
    const int column = group * lanes + (falling ? lanes - 1 : 0);
    for (int row = 0; row < edge; row += lanes) {
        std::int32_t* start = out.start[p][group] + row;
        if constexpr (stepped(interpolation)) {
            const VI number = hn::ShiftRightSame(
                hn::Add(hn::Set(di, positions.fixedColumns[p][column]), hn::Load(di, positions.fixedRows[p] + row)),
                constants.fractionBits);
            if constexpr (interpolation == Interpolation::nearest) {
                hn::Store(hn::Sub(number, hn::Set(di, firstTableBin)), di, start);
                hn::Store(number, di, out.leastNumbers[p][group] + row);
            } else {
                const V least = hn::Sub(hn::Add(positionOf(constants, number), constants.magicV), constants.magicV);
                hn::Store(hn::Sub(hn::ConvertTo(di, least), hn::Set(di, firstTableBin)), di, start);
                hn::Store(hn::Sub(constants.magicV, least), d, out.magics[p][group] + row);
            }
        } else {
            const V h = hn::Add(hn::Set(d, positions.columns[p][column]), hn::Load(d, positions.rows[p] + row));
            const V least = hn::Sub(hn::Add(h, constants.magicV), constants.magicV);
            hn::Store(hn::Sub(hn::ConvertTo(di, least), hn::Set(di, firstTableBin)), di, start);
            hn::Store(hn::Sub(constants.magicV, least), d, out.magics[p][group] + row);
        }
    }
}

template <Interpolation interpolation>
HWY_INLINE void fillTables(const TileArguments& tile, const TileBins& bins, const Constants& constants,
                           const Positions& positions, Tables& out)
{
    for (int p = 0; p < tile.projections; ++p) {
        const float* row = bins.at(p, positions.middles.bin[p]);
        for (int bin = 0; bin < tableBins; bin += lanes) {
            V tables[4];
            makeTables<interpolation>(row, firstTableBin + bin, tables);
            for (int k = 0; k < tablesOf(interpolation); ++k)
                hn::Store(tables[k], Floats(), out.values[k][p] + bin);
        }
        for (int group = 0; group < edge / lanes; ++group)
            findStarts<interpolation>(constants, positions, p, group, tile.cosine[p] < 0, out);
    }
}

// Looks up each lane's slot, 0…lanes − 1, which is in the last bits of its index.
HWY_INLINE V lookUpLanes(V bins, VI index)
{
#if HWY_TARGET == HWY_AVX2
    return V{_mm256_permutevar8x32_ps(bins.raw, index.raw)}; // uses only those bits
#else
    return hn::TableLookupLanes(bins, hn::IndicesFromVec(Floats(), hn::And(index, hn::Set(Ints(), lanes - 1))));
#endif
}

template <Interpolation interpolation>
HWY_INLINE V addRow(const Constants& constants, const Tables& tables, const Columns& columns,
                    const Positions& positions, int p, int group, int row, V sum)
{
    const Floats d;
    const int start = tables.start[p][group][row];
    if constexpr (interpolation == Interpolation::nearest) {
        const VI number = numberAt(constants, columns.fixed, positions.fixedRows[p][row]);
        const VI slot = hn::Sub(number, hn::Set(Ints(), tables.leastNumbers[p][group][row]));
        return hn::Add(sum, lookUpLanes(hn::LoadU(d, tables.values[0][p] + start), slot));
    } else {
        const V h = positionAt<interpolation>(constants, positions, columns, p, row);
        const V rowMagic = hn::Set(d, tables.magics[p][group][row]);
        // If rays are one bin apart, a tie may round to one bin past the last slot; there the left bin gives the same
        // value.
        const V rounded = hn::Min(hn::Add(h, rowMagic), hn::Add(constants.magicV, hn::Set(d, lanes - 1)));
        const VI index = hn::BitCast(Ints(), rounded);
        const auto lookUp = [&](int k)
                                HWY_ATTR { return lookUpLanes(hn::LoadU(d, tables.values[k][p] + start), index); };
        return addValue<interpolation>(sum, h, hn::Sub(h, hn::Sub(rounded, rowMagic)), lookUp);
    }
}

template <Interpolation interpolation, std::size_t... row>
HWY_INLINE void addRows(const Constants& constants, const Tables& tables, const Columns& columns,
                        const Positions& positions, int p, int group, int firstRow, V* sums,
                        std::index_sequence<row...>)
{
    ((sums[row] = addRow<interpolation>(constants, tables, columns, positions, p, group,
                                        firstRow + static_cast<int>(row), sums[row])),
     ...);
}

template <Interpolation interpolation>
HWY_INLINE void addSquare(const TileArguments& tile, const TileBins& bins, const Constants& constants,
                          const Positions& positions, float* place)
{
    Tables tables;
    fillTables<interpolation>(tile, bins, constants, positions, tables);
    for (int row = 0; row < edge; row += rowsAtOnce)
        for (int group = 0; group < edge / lanes; ++group) {
            float* corner = place + row * maxTileEdge + group * lanes;
            V sums[rowsAtOnce];
            loadSums(corner, sums, everyRow);
            for (int p = 0; p < tile.projections; ++p) {
                const Columns columns = columnsOf<interpolation>(positions, p, group * lanes);
                addRows<interpolation>(constants, tables, columns, positions, p, group, row, sums, everyRow);
            }
            storeSums(sums, corner, everyRow);
        }
}

#endif

template <Interpolation interpolation, BinStorage storage>
void addTile(const TileArguments& tile)
{
    Constants constants;
    constants.magicV = hn::Set(Floats(), magic);
    constants.inverse = hn::Set(Floats(), 1.0f / static_cast<float>(tile.oversampling));
    constants.fractionBits = fractionBits(tile.oversampling);
    TileBins bins;
    findBins<storage>(tile, bins);
    Positions positions;
    for (int row = 0; row < tile.rows; row += edge)
        for (int column = 0; column < tile.columns; column += edge) {
            findPositions<interpolation>(tile, constants, column, row, positions);
            addSquare<interpolation>(tile, bins, constants, positions, tile.sums + row * maxTileEdge + column);
        }
}

template <Interpolation interpolation>
TileKernel kernelForStorage(BinStorage storage)
{
    return storage == BinStorage::half ? addTile<interpolation, BinStorage::half>
                                       : addTile<interpolation, BinStorage::float32>;
}

} // namespace

TileKernel shuffleKernelOf(Interpolation interpolation, BinStorage storage)
{
    switch (interpolation) {
    case Interpolation::nearest:
#if SINOSCOPE_TWO_REGISTERS
        return nullptr; // stepsKernel does it
#else
        return kernelForStorage<Interpolation::nearest>(storage);
#endif
    case Interpolation::oversampled:
        return kernelForStorage<Interpolation::oversampled>(storage);
    case Interpolation::cubic:
        return kernelForStorage<Interpolation::cubic>(storage);
    case Interpolation::linear:
        break;
    }
    return kernelForStorage<Interpolation::linear>(storage);
}

bool readsHalvesOf()
{
    return (!HWY_ARCH_X86 || HWY_TARGET <= HWY_AVX2) && HWY_TARGET != HWY_EMU128 && HWY_TARGET != HWY_SCALAR;
}

} // namespace HWY_NAMESPACE
} // namespace engine
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace engine
{

HWY_EXPORT(shuffleKernelOf);
HWY_EXPORT(readsHalvesOf);

TileKernel shuffleKernel(Interpolation interpolation, BinStorage storage)
{
    return SINOSCOPE_DISPATCH(shuffleKernelOf)(interpolation, storage);
}

bool readsHalves()
{
    return SINOSCOPE_DISPATCH(readsHalvesOf)();
}

} // namespace engine
#endif
