// SPDX-License-Identifier: GPL-3.0-or-later
// The kernel that back-projects, and how much of a multiprocessor it occupies (Chilingaryan et al. 2020, Tables 12 and
// 19).
#pragma once

#include "engine/base/device.h"

#include <cstddef>

namespace engine::cuda
{

// Notes that the kernel is launched with as many threads per block and bytes of dynamic shared memory.
void noteLaunch(const void* kernel, int threads, std::size_t dynamicBytes);

template <class Result, class... Arguments>
void noteLaunch(Result (*kernel)(Arguments...), int threads, std::size_t dynamicBytes = 0)
{
    noteLaunch(reinterpret_cast<const void*>(kernel), threads, dynamicBytes);
}

// Returns the occupancy of the kernel that this process noted last, on the thread's current device; registers 0 if none
// is known. For measurements, in which one kernel runs at a time.
KernelOccupancy occupancyOfLastLaunch();

} // namespace engine::cuda
