// SPDX-License-Identifier: GPL-3.0-or-later
// Measured peak rates of a GPU, with which the speeds of the kernels are compared (Chilingaryan et al. 2020, section
// 6.5).
#pragma once

namespace engine
{

// Rates per second, of all multiprocessors together.
struct GpuPeaks {
    double texels = 0;          // fetched from one channel of floats and filtered, from the first-level cache
    double sharedBytes = 0;     // read from shared memory by warps without bank conflicts
    double wideSharedBytes = 0; // the same in loads of 16 bytes per thread
    double cacheLines = 0;      // of the first-level cache, one for each thread of a load
    double instructions = 0;    // fused multiply-adds of floats, one of each thread
    double integers = 0;        // shifts of 32-bit integers, one of each thread
    double conversions = 0;     // of floats to integers, one of each thread
    double tensorProducts = 0;  // of 16 × 16 by 16 × 8 halves, summed as floats; 0 below compute capability 8.0
    double memoryBytes = 0;     // read and written by a copy within the GPU's memory
    double upBytes = 0;         // from page-locked memory to the GPU
    double downBytes = 0;       // from the GPU to page-locked memory
};

// Measures the GPU of that index for CUDA within a second: the best of a few tries each. Changes the thread's
// current device. Throws Error(device) and Error(noMemory); Error(device) in a build without CUDA.
GpuPeaks gpuPeaks(int device);

} // namespace engine
