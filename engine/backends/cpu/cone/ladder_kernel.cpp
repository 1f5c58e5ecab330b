// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/cpu/cone/ladder_kernel.h"

#include <algorithm>
#include <cmath>

#include "engine/base/targets-inl.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/backends/cpu/cone/ladder_kernel.cpp"
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

constexpr int voxelsAtOnce = HWY_MAX_BYTES / 8 < 8 ? HWY_MAX_BYTES / 8 : 8;
using Doubles = hn::FixedTag<double, voxelsAtOnce>;
using Floats = hn::Rebind<float, Doubles>;
using Ints = hn::Rebind<std::int32_t, Doubles>;
using VD = hn::Vec<Doubles>;
using VF = hn::Vec<Floats>;
using VI = hn::Vec<Ints>;

// Positions in double precision. The paper's are in single precision, with errors of 10⁻⁵ of a row or bin.
struct Places {
    VD whole;
    VF rest;
};

HWY_INLINE Places placesOf(VD position, int count)
{
    const Doubles d;
    const VD inside = hn::Min(hn::Max(position, hn::Set(d, -2.0)), hn::Set(d, count));
    const VD whole = hn::Floor(inside);
    return {whole, hn::DemoteTo(Floats(), hn::Sub(inside, whole))};
}

HWY_INLINE VF between(const float* line, VI point, VF rest)
{
    const Floats d;
    const VF here = hn::GatherIndex(d, line, point);
    return hn::MulAdd(rest, hn::Sub(hn::GatherIndex(d, line + 1, point), here), here);
}

void addAny(const LadderLine& at, int voxels, float* sums)
{
    const Doubles d;
    const Floats df;
    for (int n = 0; n < voxels; n += voxelsAtOnce) {
        const VD step = hn::Iota(d, n);
        const auto along = [&](double first, double each)
                               HWY_ATTR { return hn::MulAdd(step, hn::Set(d, each), hn::Set(d, first)); };
        const VD f = hn::Div(hn::Set(d, 1.0), along(at.w, at.wStep));
        const Places line = placesOf(hn::Mul(along(at.line, at.lineStep), f), at.lines);
        const Places point = placesOf(hn::Mul(along(at.point, at.pointStep), f), at.points);
        const VI place =
            hn::DemoteTo(Ints(), hn::MulAdd(line.whole, hn::Set(d, static_cast<double>(at.stride)), point.whole));
        const VF first = between(at.image, place, point.rest);
        const VF value = hn::MulAdd(line.rest, hn::Sub(between(at.image + at.stride, place, point.rest), first), first);
        hn::StoreU(hn::MulAdd(hn::DemoteTo(df, hn::Mul(f, f)), value, hn::LoadU(df, sums + n)), df, sums + n);
    }
}

// Values that Listing 5 shares among the voxels of a column.
struct Shared {
    const float* line = nullptr;
    double point = 0, pointStep = 0;
    float rest = 0, weight = 0;
};

HWY_INLINE Shared sharedOf(const LadderLine& at)
{
    const double f = 1 / at.w, position = std::clamp(at.line * f, -2.0, static_cast<double>(at.lines));
    const double whole = std::floor(position);
    return {at.image + static_cast<std::ptrdiff_t>(whole) * at.stride, at.point * f, at.pointStep * f,
            static_cast<float>(position - whole), static_cast<float>(f * f)};
}

HWY_INLINE VF addTo(VF sum, const LadderLine& at, const Shared& shared, VD position)
{
    const Floats d;
    const Places point = placesOf(position, at.points);
    const VI place = hn::DemoteTo(Ints(), point.whole);
    const VF first = between(shared.line, place, point.rest);
    const VF second = between(shared.line + at.stride, place, point.rest);
    const VF value = hn::MulAdd(hn::Set(d, shared.rest), hn::Sub(second, first), first);
    return hn::MulAdd(hn::Set(d, shared.weight), value, sum);
}

HWY_INLINE VD positionsOf(const Shared& shared, int n)
{
    const Doubles d;
    return hn::MulAdd(hn::Iota(d, n), hn::Set(d, shared.pointStep), hn::Set(d, shared.point));
}

HWY_INLINE VD mirrorOf(VD position, int points)
{
    return hn::Sub(hn::Set(Doubles(), points - 1.0), position);
}

void addShared(const LadderLine& at, int voxels, float* sums, float* mirrored)
{
    const Floats d;
    const Shared shared = sharedOf(at);
    for (int n = 0; n < voxels; n += voxelsAtOnce) {
        const VD position = positionsOf(shared, n);
        hn::StoreU(addTo(hn::LoadU(d, sums + n), at, shared, position), d, sums + n);
        if (mirrored)
            hn::StoreU(addTo(hn::LoadU(d, mirrored + n), at, shared, mirrorOf(position, at.points)), d, mirrored + n);
    }
}

void addAll(const LadderLine* projections, int count, int voxels, float* sums, float* mirrored)
{
    const Floats d;
    constexpr int most = 64; // projections whose F, Weight and X are held simultaneously
    Shared shared[most];
    for (int first = 0; first < count; first += most) {
        const int some = std::min(most, count - first);
        for (int s = 0; s < some; ++s)
            shared[s] = sharedOf(projections[first + s]);
        for (int n = 0; n < voxels; n += voxelsAtOnce) {
            VF sum = hn::LoadU(d, sums + n), other = mirrored ? hn::LoadU(d, mirrored + n) : hn::Zero(d);
            for (int s = 0; s < some; ++s) {
                const LadderLine& at = projections[first + s];
                const VD position = positionsOf(shared[s], n);
                sum = addTo(sum, at, shared[s], position);
                if (mirrored)
                    other = addTo(other, at, shared[s], mirrorOf(position, at.points));
            }
            hn::StoreU(sum, d, sums + n);
            if (mirrored)
                hn::StoreU(other, d, mirrored + n);
        }
    }
}

void interpolateLines(const LadderLine& at, float* column)
{
    const hn::FixedTag<float, HWY_MAX_BYTES / 4 < 16 ? HWY_MAX_BYTES / 4 : 16> d;
    const Shared shared = sharedOf(at);
    const float* first = shared.line - ladderMargin;
    const float* second = first + at.stride;
    const int count = at.points + 2 * ladderMargin, lanes = static_cast<int>(hn::Lanes(d));
    const auto left = hn::Set(d, (1 - shared.rest) * shared.weight), right = hn::Set(d, shared.rest * shared.weight);
    int m = 0;
    for (; m + lanes <= count; m += lanes)
        hn::StoreU(hn::MulAdd(right, hn::LoadU(d, second + m), hn::Mul(left, hn::LoadU(d, first + m))), d, column + m);
    for (; m < count; ++m)
        column[m] = hn::GetLane(left) * first[m] + hn::GetLane(right) * second[m];
}

void addColumn(const LadderLine& at, const float* column, int voxels, float* sums, float* mirrored)
{
    const Floats d;
    const Shared shared = sharedOf(at);
    const auto add = [&](float* to, VD position) HWY_ATTR {
        const Places point = placesOf(position, at.points);
        const VF value = between(column + ladderMargin, hn::DemoteTo(Ints(), point.whole), point.rest);
        hn::StoreU(hn::Add(hn::LoadU(d, to), value), d, to);
    };
    for (int n = 0; n < voxels; n += voxelsAtOnce) {
        const VD position = positionsOf(shared, n);
        add(sums + n, position);
        if (mirrored)
            add(mirrored + n, mirrorOf(position, at.points));
    }
}

} // namespace

LadderKernels ladderKernelsOf()
{
    return {addAny, addShared, addAll, interpolateLines, addColumn};
}

} // namespace HWY_NAMESPACE
} // namespace engine
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace engine
{

HWY_EXPORT(ladderKernelsOf);

LadderKernels ladderKernels()
{
    return SINOSCOPE_DISPATCH(ladderKernelsOf)();
}

} // namespace engine
#endif
