// One slice: a row of as many pixels as a vector has lanes meets at most as many bins and one more, which
// are held in registers and shuffled to the pixels (000 reads them from shared memory and textures).
#include "engine/backproject/cpu/kernels.h"

#include <cmath>
#include <utility>

#include "engine/backproject/cpu/targets-inl.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/backproject/cpu/shuffle_kernel.cpp"
#include <hwy/foreach_target.h>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace engine
{
namespace HWY_NAMESPACE
{
namespace
{

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
#define SINOSCOPE_TWO_TABLES 1
#else
#define SINOSCOPE_TWO_TABLES 0
#endif

constexpr int lanes = HWY_MAX_BYTES / 4 < 16 ? HWY_MAX_BYTES / 4 : 16;
using Floats = hn::FixedTag<float, lanes>;
using Ints = hn::FixedTag<std::int32_t, lanes>;
using Halves = hn::FixedTag<hwy::float16_t, lanes>;
using Doubles = hn::FixedTag<double, lanes / 2>;
using V = hn::Vec<Floats>;
using VI = hn::Vec<Ints>;

// The square of pixels whose sums stay in registers: one vector across.
constexpr int squareRows = SINOSCOPE_TWO_TABLES ? 16 : 8;

// h + magic, |h| < 2²²: the last bits are the integer nearest to h (000, section 6.6).
constexpr float magic = 12582912.0f; // 1.5·2²³
// h of the square's middle, for each projection of a block: whole bins and a rest in 0…1; cosine and
// sine: steps of h from a column, or row, to the next; rows: h of each row less that of the middle.
struct Middles {
    alignas(64) std::int32_t bin[projectionsPerBlock];
    alignas(64) float rest[projectionsPerBlock];
    alignas(64) float cosine[projectionsPerBlock];
    alignas(64) float sine[projectionsPerBlock];
    alignas(64) float rows[projectionsPerBlock][squareRows];
    // `nearest` and `oversampled`: the same in fixed point, so that all but one in 10⁸ positions fall on the
    // side that `exact` takes; columns with the middle's rest.
    alignas(64) std::int32_t fixedColumns[projectionsPerBlock][lanes];
    alignas(64) std::int32_t fixedRows[projectionsPerBlock][squareRows];
};

constexpr bool stepped(Interpolation interpolation)
{
    return interpolation == Interpolation::nearest || interpolation == Interpolation::oversampled;
}

// Fixed-point bits of a step between bins: a square's h stays within 13 bins of its middle.
HWY_INLINE int fractionBits(int steps)
{
    int bits = 31;
    for (int most = 13 * steps; most > 0; most /= 2)
        --bits;
    return bits;
}

// offset + k·step for k counted from the middle, in units of 2^−bits.
HWY_INLINE void fixedPositions(double offset, double step, int count, double unit, std::int32_t* out)
{
    const Doubles d;
    const hn::Rebind<std::int32_t, Doubles> di;
    const auto scale = hn::Set(d, unit);
    for (int k = 0; k < count; k += static_cast<int>(hn::Lanes(d))) {
        const auto distance = hn::Add(hn::Iota(d, k), hn::Set(d, (1 - count) / 2.0));
        const auto h = hn::MulAdd(distance, hn::Set(d, step), hn::Set(d, offset));
        hn::Store(hn::DemoteTo(di, hn::Round(hn::Mul(h, scale))), di, out + k);
    }
}

template <bool fixed>
HWY_INLINE void findMiddles(const TileArguments& tile, int column, int row, Middles& out)
{
    const Doubles d;
    const hn::Rebind<float, Doubles> df;
    const hn::Rebind<std::int32_t, Doubles> di;
    const auto x = hn::Set(d, tile.x + (column + (lanes - 1) / 2.0) * tile.step);
    const auto y = hn::Set(d, tile.y - (row + (squareRows - 1) / 2.0) * tile.step);
    // Beyond these all bins that the square's rays meet are zeros of the margin.
    const auto least = hn::Set(d, -20.0), most = hn::Set(d, tile.binCount + 20.0);
    const auto step = hn::Set(d, tile.step), down = hn::Set(d, -tile.step);
    HWY_ALIGN double rest[projectionsPerBlock];
    for (std::size_t p = 0; p < projectionsPerBlock; p += hn::Lanes(d)) {
        const auto cosine = hn::LoadU(d, tile.cosine + p), sine = hn::LoadU(d, tile.sine + p);
        const auto exact = hn::MulAdd(x, cosine, hn::MulAdd(y, sine, hn::LoadU(d, tile.axis + p)));
        const auto h = hn::Min(hn::Max(exact, least), most);
        const auto whole = hn::Floor(h);
        hn::StoreU(hn::DemoteTo(di, whole), di, out.bin + p);
        hn::StoreU(hn::Sub(h, whole), d, rest + p);
        hn::StoreU(hn::DemoteTo(df, hn::Sub(h, whole)), df, out.rest + p);
        hn::StoreU(hn::DemoteTo(df, hn::Mul(cosine, step)), df, out.cosine + p);
        hn::StoreU(hn::DemoteTo(df, hn::Mul(sine, down)), df, out.sine + p);
    }
    if constexpr (fixed) {
        const double unit = std::ldexp(static_cast<double>(tile.oversampling), fractionBits(tile.oversampling));
        const double half = 0.5 / tile.oversampling; // rounds to the nearest
        for (int p = 0; p < tile.projections; ++p) {
            fixedPositions(rest[p] + half, tile.cosine[p] * tile.step, lanes, unit, out.fixedColumns[p]);
            fixedPositions(0, -tile.sine[p] * tile.step, squareRows, unit, out.fixedRows[p]);
        }
        return;
    }
    const Floats f;
    for (int p = 0; p < tile.projections; ++p)
        for (int k = 0; k < squareRows; k += lanes) {
            const V rowsFromMiddle = hn::Add(hn::Iota(f, static_cast<float>(k)), hn::Set(f, (1 - squareRows) / 2.0f));
            hn::Store(hn::Mul(hn::Set(f, out.sine[p]), rowsFromMiddle), f, out.rows[p] + k);
        }
}

template <BinStorage storage>
HWY_INLINE V loadBins(const void* row, std::ptrdiff_t bin)
{
    if constexpr (storage == BinStorage::half)
        return hn::PromoteTo(Floats(), hn::LoadU(Halves(), static_cast<const hwy::float16_t*>(row) + bin));
    else
        return hn::LoadU(Floats(), static_cast<const float*>(row) + bin);
}

constexpr int tablesOf(Interpolation interpolation)
{
    return interpolation == Interpolation::nearest ? 1 : interpolation == Interpolation::cubic ? 4 : 2;
}

// Added to h: rounding gives the left bin.
constexpr float shift = -0.5f;

// What a pixel needs of its left bin b, for bins `bin` … `bin + lanes − 1` beside the middle bin.
// linear: its value is table0 + h'·table1, with h' = h − 1/2. cubic: a polynomial of h' − b.
template <Interpolation interpolation, BinStorage storage>
HWY_INLINE void makeTables(const void* row, int bin, V* tables)
{
    const Floats d;
    const V value = loadBins<storage>(row, bin);
    if constexpr (interpolation == Interpolation::nearest) {
        tables[0] = value;
    } else if constexpr (interpolation == Interpolation::cubic) {
        // Catmull-Rom: v0 + f·(b + f·(c + f·e)), rewritten for g = f − 1/2.
        const V before = loadBins<storage>(row, bin - 1), next = loadBins<storage>(row, bin + 1),
                after = loadBins<storage>(row, bin + 2);
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
        const V slope = hn::Sub(loadBins<storage>(row, bin + 1), value);
        const V position = hn::Add(hn::Iota(d, 0), hn::Set(d, static_cast<float>(bin) - 0.5f));
        tables[0] = hn::NegMulAdd(position, slope, value);
        tables[1] = slope;
    }
}

// Constants of all projections and rows.
struct Constants {
    V magicV;
    V inverse;        // oversampling: of the positions a bin
    int fractionBits; // nearest and oversampled
};

// The position between bins as `linear` takes it, from the number of the position.
HWY_INLINE V oversampledPosition(const Constants& constants, VI number)
{
    return hn::MulAdd(hn::ConvertTo(Floats(), number), constants.inverse, hn::Set(Floats(), shift));
}

// Where the pixels of one row begin, for one projection: one of the two.
struct Columns {
    V single;
    VI fixed;
};

template <Interpolation interpolation>
HWY_INLINE Columns columnsOf(const Middles& middles, int p)
{
    const Floats d;
    Columns columns;
    const V along = hn::Sub(hn::Iota(d, 0), hn::Set(d, (lanes - 1) / 2.0f));
    if constexpr (stepped(interpolation))
        columns.fixed = hn::Load(Ints(), middles.fixedColumns[p]);
    else
        columns.single = hn::MulAdd(hn::Set(d, middles.cosine[p]), along, hn::Set(d, middles.rest[p] + shift));
    return columns;
}

// Number of the nearest position: of a bin, or of one of the positions a bin.
HWY_INLINE VI fixedPosition(const Constants& constants, const Columns& columns, const Middles& middles, int p, int row)
{
    return hn::ShiftRightSame(hn::Add(columns.fixed, hn::Set(Ints(), middles.fixedRows[p][row])),
                              constants.fractionBits);
}

// h from the middle bin, half a bin less.
template <Interpolation interpolation>
HWY_INLINE V position(const Constants& constants, const Columns& columns, const Middles& middles, int p, int row)
{
    if constexpr (stepped(interpolation))
        return oversampledPosition(constants, fixedPosition(constants, columns, middles, p, row));
    else
        return hn::Add(columns.single, hn::Set(Floats(), middles.rows[p][row]));
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

#if SINOSCOPE_TWO_TABLES

// Slot k holds bin k, or k − 32 from 16 on: the last five bits of the index find it.
HWY_INLINE V lookUp(V low, V high, hn::Vec<Ints> index)
{
    return V{_mm512_permutex2var_ps(low.raw, index.raw, high.raw)};
}

template <Interpolation interpolation>
HWY_INLINE V addRow(const Constants& constants, const V* low, const V* high, const Columns& columns,
                    const Middles& middles, int p, int row, V sum)
{
    if constexpr (interpolation == Interpolation::nearest)
        return hn::Add(sum, lookUp(low[0], high[0], fixedPosition(constants, columns, middles, p, row)));
    const V h = position<interpolation>(constants, columns, middles, p, row);
    const V rounded = hn::Add(h, constants.magicV);
    const auto index = hn::BitCast(Ints(), rounded);
    if constexpr (interpolation == Interpolation::cubic) {
        const V g = hn::Sub(h, hn::Sub(rounded, constants.magicV));
        V value = hn::MulAdd(g, lookUp(low[3], high[3], index), lookUp(low[2], high[2], index));
        value = hn::MulAdd(g, value, lookUp(low[1], high[1], index));
        return hn::MulAdd(g, value, hn::Add(sum, lookUp(low[0], high[0], index)));
    } else {
        return hn::MulAdd(h, lookUp(low[1], high[1], index), hn::Add(sum, lookUp(low[0], high[0], index)));
    }
}

template <Interpolation interpolation, std::size_t... row>
HWY_INLINE void addRows(const Constants& constants, const V* low, const V* high, const Columns& columns,
                        const Middles& middles, int p, V* sums, std::index_sequence<row...>)
{
    ((sums[row] = addRow<interpolation>(constants, low, high, columns, middles, p, row, sums[row])), ...);
}

template <Interpolation interpolation, BinStorage storage>
HWY_INLINE void addSquare(const TileArguments& tile, const Constants& constants, int firstColumn, int firstRow)
{
    constexpr auto everyRow = std::make_index_sequence<squareRows>();
    constexpr std::ptrdiff_t valueBytes = storage == BinStorage::half ? 2 : 4;
    Middles middles;
    findMiddles<stepped(interpolation)>(tile, firstColumn, firstRow, middles);
    float* place = tile.sums + firstRow * maxTileEdge + firstColumn;
    V sums[squareRows];
    loadSums(place, sums, everyRow);
    for (int p = 0; p < tile.projections; ++p) {
        const char* row = static_cast<const char*>(tile.bins) + (p * tile.stride + middles.bin[p]) * valueBytes;
        V low[4], high[4];
        makeTables<interpolation, storage>(row, 0, low);
        makeTables<interpolation, storage>(row, -lanes, high);
        addRows<interpolation>(constants, low, high, columnsOf<interpolation>(middles, p), middles, p, sums, everyRow);
    }
    storeSums(sums, place, everyRow);
}

#else

// One table a row: slot k holds the row's least bin + k.
constexpr int tableBins = lanes == 8 ? 24 : 16; // from 8 left of the middle bin

struct Tables {
    alignas(64) float values[4][projectionsPerBlock][tableBins];
    alignas(64) std::int32_t least[projectionsPerBlock][squareRows]; // the row's least bin, from the table's start
    alignas(64) float magics[projectionsPerBlock][squareRows];       // magic − least bin
    alignas(64) std::int32_t leastNumbers[projectionsPerBlock][squareRows]; // nearest: least bin, from the middle
};

HWY_INLINE void storeLeast(const Constants& constants, V h, std::int32_t* bins, float* magics)
{
    const Floats d;
    const V least = hn::Sub(hn::Add(h, constants.magicV), constants.magicV);
    hn::Store(hn::ConvertTo(Ints(), hn::Add(least, hn::Set(d, 8.0f))), Ints(), bins);
    hn::Store(hn::Sub(constants.magicV, least), d, magics);
}

template <Interpolation interpolation, BinStorage storage>
HWY_INLINE void fillTables(const TileArguments& tile, const Constants& constants, const Middles& middles, Tables& out)
{
    constexpr std::ptrdiff_t valueBytes = storage == BinStorage::half ? 2 : 4;
    const Floats d;
    for (int p = 0; p < tile.projections; ++p) {
        const char* row = static_cast<const char*>(tile.bins) + (p * tile.stride + middles.bin[p]) * valueBytes;
        for (int bin = -8; bin < tableBins - 8; bin += lanes) {
            V tables[4];
            makeTables<interpolation, storage>(row, bin, tables);
            for (int k = 0; k < tablesOf(interpolation); ++k)
                hn::Store(tables[k], d, out.values[k][p] + 8 + bin);
        }
        // The first or last column, computed as the kernel does it: it must find the very same bin.
        const Ints di;
        const float cosine = middles.cosine[p];
        const float end = cosine < 0 ? (lanes - 1) / 2.0f : -(lanes - 1) / 2.0f;
        const V column = hn::MulAdd(hn::Set(d, cosine), hn::Set(d, end), hn::Set(d, middles.rest[p] + shift));
        const VI fixedColumn = hn::Set(di, middles.fixedColumns[p][cosine < 0 ? lanes - 1 : 0]);
        for (int k = 0; k < squareRows; k += lanes) {
            if constexpr (stepped(interpolation)) {
                const VI number = hn::ShiftRightSame(hn::Add(fixedColumn, hn::Load(di, middles.fixedRows[p] + k)),
                                                     constants.fractionBits);
                if constexpr (interpolation == Interpolation::nearest) {
                    hn::Store(hn::Add(number, hn::Set(di, 8)), di, out.least[p] + k);
                    hn::Store(number, di, out.leastNumbers[p] + k);
                    continue;
                }
                storeLeast(constants, oversampledPosition(constants, number), out.least[p] + k, out.magics[p] + k);
            } else {
                storeLeast(constants, hn::Add(column, hn::Load(d, middles.rows[p] + k)), out.least[p] + k,
                           out.magics[p] + k);
            }
        }
    }
}

template <Interpolation interpolation>
HWY_INLINE V addRow(const Constants& constants, const Middles& middles, const Tables& tables, int p, int row,
                    const Columns& columns, V sum)
{
    const Floats d;
    const int start = tables.least[p][row];
    if constexpr (interpolation == Interpolation::nearest) {
        const VI slot =
            hn::Sub(fixedPosition(constants, columns, middles, p, row), hn::Set(Ints(), tables.leastNumbers[p][row]));
        return hn::Add(sum,
                       hn::TableLookupLanes(hn::LoadU(d, tables.values[0][p] + start), hn::IndicesFromVec(d, slot)));
    }
    const V h = position<interpolation>(constants, columns, middles, p, row);
    const V rowMagic = hn::Set(d, tables.magics[p][row]);
    const V rounded = hn::Add(h, rowMagic);
    // Where the rays are one bin apart, a tie may lead one bin past the last lane; there the left bin serves too.
    const VI slot = hn::Min(hn::Sub(hn::BitCast(Ints(), rounded), hn::BitCast(Ints(), constants.magicV)),
                            hn::Set(Ints(), lanes - 1));
    const auto index = hn::IndicesFromVec(d, slot);
    const auto lookUp = [&](int k)
                            HWY_ATTR { return hn::TableLookupLanes(hn::LoadU(d, tables.values[k][p] + start), index); };
    if constexpr (interpolation == Interpolation::cubic) {
        const V g = hn::Sub(h, hn::Sub(hn::ConvertTo(d, slot), hn::Sub(rowMagic, constants.magicV)));
        V value = hn::MulAdd(g, lookUp(3), lookUp(2));
        value = hn::MulAdd(g, value, lookUp(1));
        return hn::MulAdd(g, value, hn::Add(sum, lookUp(0)));
    } else {
        return hn::MulAdd(h, lookUp(1), hn::Add(sum, lookUp(0)));
    }
}

template <Interpolation interpolation, std::size_t... row>
HWY_INLINE void addRows(const Constants& constants, const Middles& middles, const Tables& tables, int p,
                        const Columns& columns, V* sums, std::index_sequence<row...>)
{
    ((sums[row] = addRow<interpolation>(constants, middles, tables, p, row, columns, sums[row])), ...);
}

template <Interpolation interpolation, BinStorage storage>
HWY_INLINE void addSquare(const TileArguments& tile, const Constants& constants, int firstColumn, int firstRow)
{
    constexpr auto everyRow = std::make_index_sequence<squareRows>();
    Middles middles;
    findMiddles<stepped(interpolation)>(tile, firstColumn, firstRow, middles);
    Tables tables;
    fillTables<interpolation, storage>(tile, constants, middles, tables);
    float* place = tile.sums + firstRow * maxTileEdge + firstColumn;
    V sums[squareRows];
    loadSums(place, sums, everyRow);
    for (int p = 0; p < tile.projections; ++p) {
        addRows<interpolation>(constants, middles, tables, p, columnsOf<interpolation>(middles, p), sums, everyRow);
    }
    storeSums(sums, place, everyRow);
}

#endif

template <Interpolation interpolation, BinStorage storage>
void addTile(const TileArguments& tile)
{
    Constants constants;
    constants.magicV = hn::Set(Floats(), magic);
    constants.fractionBits = fractionBits(tile.oversampling);
    constants.inverse = hn::Set(Floats(), 1.0f / static_cast<float>(tile.oversampling));
    for (int row = 0; row < tile.rows; row += squareRows)
        for (int column = 0; column < tile.columns; column += lanes)
            addSquare<interpolation, storage>(tile, constants, column, row);
}

TileKernel shuffleKernelHere(Interpolation interpolation, BinStorage storage)
{
    const bool half = storage == BinStorage::half;
    switch (interpolation) {
    case Interpolation::nearest:
        return half ? addTile<Interpolation::nearest, BinStorage::half>
                    : addTile<Interpolation::nearest, BinStorage::float32>;
    case Interpolation::oversampled:
        return half ? addTile<Interpolation::oversampled, BinStorage::half>
                    : addTile<Interpolation::oversampled, BinStorage::float32>;
    case Interpolation::cubic:
        return half ? addTile<Interpolation::cubic, BinStorage::half>
                    : addTile<Interpolation::cubic, BinStorage::float32>;
    case Interpolation::linear:
        break;
    }
    return half ? addTile<Interpolation::linear, BinStorage::half>
                : addTile<Interpolation::linear, BinStorage::float32>;
}

#undef SINOSCOPE_TWO_TABLES

} // namespace

TileKernel shuffleKernelOf(Interpolation interpolation, BinStorage storage)
{
    return shuffleKernelHere(interpolation, storage);
}

} // namespace HWY_NAMESPACE
} // namespace engine
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace engine
{

HWY_EXPORT(shuffleKernelOf);

TileKernel shuffleKernel(Interpolation interpolation, BinStorage storage)
{
    return HWY_DYNAMIC_DISPATCH(shuffleKernelOf)(interpolation, storage);
}

} // namespace engine
#endif
