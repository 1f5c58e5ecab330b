#include "engine/cuda/copy_around.h"

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>

namespace engine
{

void copyAround(float* to, const float* from, std::size_t count)
{
    namespace hn = hwy::HWY_NAMESPACE;
    const hn::ScalableTag<float> lanes; // of every processor that this is built for: memory is the limit
    const std::size_t step = hn::Lanes(lanes), bytes = step * sizeof(float);
    std::size_t i = std::min(count, (bytes - reinterpret_cast<std::uintptr_t>(to) % bytes) % bytes / sizeof(float));
    std::copy(from, from + i, to);
    for (; i + step <= count; i += step)
        hn::Stream(hn::LoadU(lanes, from + i), lanes, to + i);
    hwy::FlushStream();
    std::copy(from + i, from + count, to + i);
}

} // namespace engine
