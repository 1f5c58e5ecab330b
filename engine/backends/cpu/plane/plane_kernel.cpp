// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/cpu/plane/plane_kernel.h"

#include <cstdint>

#include "engine/base/targets-inl.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/backends/cpu/plane/plane_kernel.cpp"
#include <hwy/foreach_target.h>

#include <hwy/highway.h>

#include "engine/base/chosen_target-inl.h"

// 1 if one instruction gathers a bin together with the next one.
#undef SINOSCOPE_GATHERS_PAIRS
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
#define SINOSCOPE_GATHERS_PAIRS 1
#else
#define SINOSCOPE_GATHERS_PAIRS 0
#endif

HWY_BEFORE_NAMESPACE();
namespace engine
{
namespace HWY_NAMESPACE
{
namespace
{

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::CappedTag<float, planeRunPixels>;
using Ints = hn::Rebind<std::int32_t, Floats>;

// Indices of neighbours along one direction of the detector, which has bins or rows from `first` to `last`, and whether
// they exist.
template <typename Whole>
struct Neighbour {
    Whole index;
    hn::Mask<Floats> exists;

    HWY_INLINE Neighbour(Whole at, int first, int last)
    {
        const Ints di;
        index = hn::Min(hn::Max(at, hn::Set(di, first)), hn::Set(di, last));
        exists = hn::RebindMask(Floats(), hn::Eq(at, index));
    }
};

// Positions are far from any detector where they don't fit an integer.
HWY_INLINE hn::Vec<Floats> bounded(hn::Vec<Floats> position)
{
    const Floats d;
    return hn::Min(hn::Max(position, hn::Set(d, -4e6F)), hn::Set(d, 4e6F));
}

#if SINOSCOPE_GATHERS_PAIRS

// Two vectors of neighbouring bins.
struct Pairs {
    hn::Vec<Floats> left, right;
};

HWY_INLINE Pairs gatherPairs(const float* values, hn::Vec<Ints> index)
{
    const Floats d;
    const hn::Half<Ints> half;
    const hn::Repartition<double, Floats> pairs;
    const auto gather = [&](auto at) HWY_ATTR {
        const auto* from = reinterpret_cast<const double*>(values); // of any alignment
#if HWY_TARGET == HWY_AVX2
        return hn::BitCast(d, hn::Vec<decltype(pairs)>{_mm256_i32gather_pd(from, at.raw, sizeof(float))});
#else
        return hn::BitCast(d, hn::Vec<decltype(pairs)>{_mm512_i32gather_pd(at.raw, from, sizeof(float))});
#endif
    };
    const auto first = gather(hn::LowerHalf(half, index)), second = gather(hn::UpperHalf(half, index));
    return {hn::ConcatEven(d, second, first), hn::ConcatOdd(d, second, first)};
}

#endif

template <bool linear, bool isParallel>
HWY_INLINE void addPixels(const PlaneRays& shape, const PlaneRay& ray, int first, float* sums)
{
    const Floats d;
    const Ints di;
    const auto k = hn::Iota(d, static_cast<float>(first));
    auto h = hn::MulAdd(k, hn::Set(d, ray.hStep), hn::Set(d, ray.h));
    auto r = hn::MulAdd(k, hn::Set(d, ray.rStep), hn::Set(d, ray.r));
    auto weight = hn::Set(d, 1.0F);
    if constexpr (!isParallel) {
        const auto w = hn::MulAdd(k, hn::Set(d, ray.wStep), hn::Set(d, ray.w));
        const auto inverse = hn::IfThenElseZero(hn::Gt(w, hn::Zero(d)), hn::Div(weight, w));
        h = hn::Mul(h, inverse);
        r = hn::Mul(r, inverse);
        weight = hn::Mul(inverse, inverse);
    }
    if constexpr (!linear) {
        const auto half = hn::Set(d, 0.5F);
        h = hn::Add(h, half);
        r = hn::Add(r, half);
    }
    const int lastBin = shape.bins - 1, firstRow = ray.row - shape.reach > 0 ? ray.row - shape.reach : 0,
              lastRow = ray.row + shape.reach < shape.rows - 1 ? ray.row + shape.reach : shape.rows - 1;
    h = bounded(h);
    if constexpr (isParallel) // pixels above or below the detector meet its outer row
        r = hn::Min(hn::Max(r, hn::Set(d, static_cast<float>(firstRow - ray.row))),
                    hn::Set(d, static_cast<float>(lastRow - ray.row)));
    else
        r = bounded(r);
    const auto left = hn::Floor(h), top = hn::Floor(r);
    const auto bin = hn::Add(hn::ConvertTo(di, left), hn::Set(di, ray.bin));
    const auto row = hn::Add(hn::ConvertTo(di, top), hn::Set(di, ray.row));
    const auto fx = hn::Sub(h, left), fy = hn::Sub(r, top);
    const auto between = [&](auto a, auto b, auto f) HWY_ATTR { return hn::MulAdd(f, hn::Sub(b, a), a); };
#if SINOSCOPE_GATHERS_PAIRS
    if constexpr (linear) {
        const auto isBelow = [&](auto number, int limit) HWY_ATTR { // and not negative
            const hn::RebindToUnsigned<Ints> du;
            return hn::Lt(hn::BitCast(du, number), hn::Set(du, static_cast<std::uint32_t>(limit)));
        };
        if (HWY_LIKELY(lastBin > 0 && lastRow > firstRow &&
                       hn::AllTrue(hn::RebindToUnsigned<Ints>(),
                                   hn::And(isBelow(bin, lastBin),
                                           isBelow(hn::Sub(row, hn::Set(di, firstRow)), lastRow - firstRow))))) {
            const auto index = hn::Add(hn::Mul(hn::Sub(row, hn::Set(di, ray.row)), hn::Set(di, shape.rowStride)), bin);
            const Pairs upper = gatherPairs(ray.values, index),
                        lower = gatherPairs(ray.values + shape.rowStride, index);
            const auto value = between(between(upper.left, upper.right, fx), between(lower.left, lower.right, fx), fy);
            hn::StoreU(hn::MulAdd(value, weight, hn::LoadU(d, sums + first)), d, sums + first);
            return;
        }
    }
#endif
    using Whole = decltype(hn::Zero(di));
    const auto offsetOf = [&](const Neighbour<Whole>& of) HWY_ATTR {
        return hn::Mul(hn::Sub(of.index, hn::Set(di, ray.row)), hn::Set(di, shape.rowStride));
    };
    const auto at = [&](const Neighbour<Whole>& y, Whole offset, const Neighbour<Whole>& x) HWY_ATTR {
        return hn::IfThenElseZero(hn::And(y.exists, x.exists),
                                  hn::GatherIndex(d, ray.values, hn::Add(offset, x.index)));
    };
    const Neighbour<Whole> x0(bin, 0, lastBin), y0(row, firstRow, lastRow);
    const auto offset0 = offsetOf(y0);
    auto value = at(y0, offset0, x0);
    if constexpr (linear) {
        const auto one = hn::Set(di, 1);
        const Neighbour<Whole> x1(hn::Add(bin, one), 0, lastBin), y1(hn::Add(row, one), firstRow, lastRow);
        const auto offset1 = offsetOf(y1);
        value =
            between(between(value, at(y0, offset0, x1), fx), between(at(y1, offset1, x0), at(y1, offset1, x1), fx), fy);
    }
    hn::StoreU(hn::MulAdd(value, weight, hn::LoadU(d, sums + first)), d, sums + first);
}

template <bool linear, bool isParallel>
void addRun(const PlaneRays& shape, float* sums)
{
    const int lanes = static_cast<int>(hn::Lanes(Floats()));
    for (int p = 0; p < shape.count; ++p)
        for (int first = 0; first < planeRunPixels; first += lanes)
            addPixels<linear, isParallel>(shape, shape.rays[p], first, sums);
}

} // namespace

PlaneKernel planeKernelOf(bool linear, bool isParallel)
{
    if (linear)
        return isParallel ? addRun<true, true> : addRun<true, false>;
    return isParallel ? addRun<false, true> : addRun<false, false>;
}

} // namespace HWY_NAMESPACE
} // namespace engine
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace engine
{

HWY_EXPORT(planeKernelOf);

PlaneKernel planeKernel(bool linear, bool isParallel)
{
    return SINOSCOPE_DISPATCH(planeKernelOf)(linear, isParallel);
}

} // namespace engine
#endif
