// Any projection matrices: neighbouring pixels of a slice in the lanes, positions in double precision, rows and bins
// gathered from memory.
#include "engine/backproject/cone/cpu/cone_kernels.h"

#include <cmath>

#include "engine/targets-inl.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/backproject/cone/cpu/cone_gather_kernel.cpp"
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

constexpr int pixels = HWY_MAX_BYTES / 8 < 8 ? HWY_MAX_BYTES / 8 : 8;
using Doubles = hn::FixedTag<double, pixels>;
using Floats = hn::Rebind<float, Doubles>;
using Ints = hn::Rebind<std::int32_t, Doubles>;
using VD = hn::Vec<Doubles>;
static_assert(gatherTileEdge % pixels == 0 && gatherRowMargin >= 2 && binMargin >= 2);

struct Split {
    VD whole, rest;
};

// Bins and rows before `most` and two behind −2 are there; beyond them all is zero.
HWY_INLINE Split split(VD position, int most)
{
    const Doubles d;
    const VD inside = hn::Min(hn::Max(position, hn::Set(d, -2.0)), hn::Set(d, most));
    const VD whole = hn::Floor(inside);
    return {whole, hn::Sub(inside, whole)};
}

HWY_INLINE bool hasTies(VD rest)
{
    const Doubles d;
    const VD distance = hn::Min(rest, hn::Sub(hn::Set(d, 1.0), rest));
    return !hn::AllFalse(d, hn::Lt(distance, hn::Set(d, tieWidth)));
}

// Some of the pixels lie so near to a tie that `exact` is asked.
HWY_NOINLINE void nearestPlaces(const ConeTile& tile, int p, int i, int j, std::int32_t* places)
{
    const StoredColumns& stored = tile.stored;
    for (int lane = 0; lane < pixels; ++lane) {
        const Meeting at = meetingOf(tile.views[p], i + lane, j, tile.slice);
        const double bin = std::floor(at.h + 0.5), row = std::floor(at.r + 0.5);
        const bool inside = bin >= 0 && bin < stored.bins && row >= 0 && row < stored.rows;
        places[lane] = inside ? static_cast<std::int32_t>(bin * stored.binStride() + row) : -1; // row −1 is zero
    }
}

template <Interpolation interpolation>
HWY_INLINE void addPixels(const ConeTile& tile, const float* projection, int p, int i, int j, float* sums)
{
    const Doubles d;
    const Floats df;
    const Ints di;
    const StoredColumns& stored = tile.stored;
    const ProjectionMatrix& m = tile.views[p];
    const auto column = hn::Iota(d, i);
    const auto line = [&](const double* v) HWY_ATTR {
        return hn::MulAdd(column, hn::Set(d, v[0]), hn::Set(d, v[1] * j + v[2] * tile.slice + v[3]));
    };
    const VD inverse = hn::Div(hn::Set(d, 1.0), line(&m[8]));
    const auto weight = hn::DemoteTo(df, hn::Mul(inverse, inverse));
    constexpr bool nearest = interpolation == Interpolation::nearest;
    const VD half = hn::Set(d, nearest ? 0.5 : 0);
    const Split h = split(hn::MulAdd(line(&m[0]), inverse, half), stored.bins);
    const Split r = split(hn::MulAdd(line(&m[4]), inverse, half), stored.rows);
    auto place = hn::DemoteTo(di, hn::MulAdd(h.whole, hn::Set(d, static_cast<double>(stored.binStride())), r.whole));
    auto value = hn::LoadU(df, sums);
    if constexpr (nearest) {
        if (HWY_UNLIKELY(hasTies(h.rest) || hasTies(r.rest))) {
            alignas(64) std::int32_t places[pixels];
            nearestPlaces(tile, p, i, j, places);
            place = hn::Load(di, places);
        }
        value = hn::MulAdd(weight, hn::GatherIndex(df, projection, place), value);
    } else {
        const auto fh = hn::DemoteTo(df, h.rest), fr = hn::DemoteTo(df, r.rest);
        const auto between = [&](const float* from) HWY_ATTR {
            const auto top = hn::GatherIndex(df, from, place);
            return hn::MulAdd(fr, hn::Sub(hn::GatherIndex(df, from + 1, place), top), top);
        };
        const auto left = between(projection);
        const auto both = hn::MulAdd(fh, hn::Sub(between(projection + stored.binStride()), left), left);
        value = hn::MulAdd(weight, both, value);
    }
    hn::StoreU(value, df, sums);
}

template <Interpolation interpolation>
void addSlice(const ConeTile& tile)
{
    for (int p = 0; p < tile.projections; ++p) {
        const auto* projection = static_cast<const float*>(tile.stored.projection(tile.firstProjection + p));
        for (int j = 0; j < tile.rows; ++j)
            for (int i = 0; i < tile.columns; i += pixels)
                addPixels<interpolation>(tile, projection, p, tile.column + i, tile.row + j,
                                         tile.sums + j * gatherTileEdge + i);
    }
}

} // namespace

ConeKernel coneGatherKernelOf(Interpolation interpolation)
{
    return interpolation == Interpolation::nearest ? addSlice<Interpolation::nearest> : addSlice<Interpolation::linear>;
}

} // namespace HWY_NAMESPACE
} // namespace engine
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace engine
{

HWY_EXPORT(coneGatherKernelOf);

ConeKernel coneGatherKernel(Interpolation interpolation)
{
    return HWY_DYNAMIC_DISPATCH(coneGatherKernelOf)(interpolation);
}

} // namespace engine
#endif
