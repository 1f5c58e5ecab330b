// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace engine
{

// Copies `count` values into memory that is not read soon. Bypasses the caches where the processor can, so that the
// old contents need not be fetched first.
void copyAround(float* to, const float* from, std::size_t count);

} // namespace engine
