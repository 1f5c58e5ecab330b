// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/copy_around.h"

#include <hwy/cache_control.h>

#include <algorithm>
#include <cstdint>

#include "engine/base/targets-inl.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/base/copy_around.cpp"
#include <hwy/foreach_target.h>

#include <hwy/highway.h>

#include "engine/base/chosen_target-inl.h"

HWY_BEFORE_NAMESPACE();
namespace engine
{
namespace HWY_NAMESPACE
{

namespace hn = hwy::HWY_NAMESPACE;

// Writes whole cache lines of 64 bytes, each with one store where vectors are that long: 43 GB/s while uploads run,
// instead of 33 GB/s with stores of 16 bytes (tests/bench/results/h200-copies.md).
void copyAroundOf(float* to, const float* from, std::size_t count)
{
    constexpr std::size_t line = 16;
    const hn::CappedTag<float, line> lanes;
    const std::size_t past = reinterpret_cast<std::uintptr_t>(to) / sizeof(float) % line;
    std::size_t i = std::min(count, (line - past) % line);
    std::copy(from, from + i, to);
    for (; i + line <= count; i += line)
        for (std::size_t k = 0; k < line; k += hn::Lanes(lanes))
            hn::Stream(hn::LoadU(lanes, from + i + k), lanes, to + i + k);
    hwy::FlushStream();
    std::copy(from + i, from + count, to + i);
}

} // namespace HWY_NAMESPACE
} // namespace engine
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace engine
{

HWY_EXPORT(copyAroundOf);

void copyAround(float* to, const float* from, std::size_t count)
{
    SINOSCOPE_DISPATCH(copyAroundOf)(to, from, count);
}

} // namespace engine
#endif
