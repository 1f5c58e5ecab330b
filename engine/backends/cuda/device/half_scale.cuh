// SPDX-License-Identifier: GPL-3.0-or-later
// Scale of half-precision values on the device (engine/data/half_scale.h).
#pragma once

namespace engine::cuda
{

// Returns the power of two that brings the float with the bits `largest` to 2¹⁰…2¹¹; 1 for zero.
__device__ inline float halfScaleOf(unsigned largest)
{
    const float value = __uint_as_float(largest);
    return value > 0 ? ldexpf(1.0f, 10 - ilogbf(value)) : 1.0f;
}

} // namespace engine::cuda
