// SPDX-License-Identifier: GPL-3.0-or-later
// The sums of `exact` on an NVIDIA GPU.
#pragma once

#include "engine/backends/parallel/double_sums.h"

namespace engine
{

// As exactSums: gives the same bits (except for the kind of a NaN), and calls `take` in the caller's thread. Also
// throws Error(device, noMemory).
LaunchReport exactSumsOnGpu(const LaunchArguments& arguments, const TakeSums& take);

} // namespace engine
