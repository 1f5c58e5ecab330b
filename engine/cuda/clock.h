// SPDX-License-Identifier: GPL-3.0-or-later
// The clock of a GPU at this moment.
#pragma once

namespace engine
{

// Returns the clock of the multiprocessors, in MHz, as the driver's library NVML reports it; 0 if it can't be known.
// device: its index for CUDA. May be called from any thread; doesn't throw.
double gpuClockMhz(int device);

} // namespace engine
