// SPDX-License-Identifier: GPL-3.0-or-later
// The clock, power, temperature and memory of a GPU at this moment, as the driver's library NVML reports them.
#pragma once

namespace engine
{

// A value of 0 can't be known: NVML is missing, or the device doesn't report it.
struct GpuState {
    double clockMhz = 0; // of the multiprocessors
    double watts = 0;    // of the whole board
    double joules = 0;   // used by the board since its driver was loaded; counted in steps of some 20 ms
    double celsius = 0;
    double usedBytes = 0, totalBytes = 0; // of its memory, by all programs
};

// device: its index for CUDA. May be called from any thread; they don't throw. The clock alone is known sooner.
GpuState gpuState(int device);
double gpuClockMhz(int device);

} // namespace engine
