// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace engine
{

// memcpy of `count` values into memory that nobody reads soon: it goes around the caches where the processor can, so
// that what is overwritten needn't be fetched first.
void copyAround(float* to, const float* from, std::size_t count);

} // namespace engine
