// SPDX-License-Identifier: GPL-3.0-or-later
// NVIDIA GPUs of this machine. In a build without CUDA the list is empty and gives the reason.
#pragma once

#include <string>
#include <vector>

namespace engine
{

struct CudaDevice {
    int index = 0;
    std::string name;
    int computeMajor = 0, computeMinor = 0;
    int multiprocessors = 0;
    double clockMhz = 0;
    double memoryBytes = 0;
    std::string processors; // CPUs near the GPU in Linux's notation: "0-15"; empty if unknown

    // Peak rates of the hardware at that clock: each multiprocessor filters four texels and reads 32 banks of 4 bytes
    // per cycle (Turing to Blackwell).
    double texelsPerSecond() const { return 4.0 * multiprocessors * clockMhz * 1e6; }
    double sharedBytesPerSecond() const { return 128.0 * multiprocessors * clockMhz * 1e6; }
};

struct CudaDevices {
    std::vector<CudaDevice> devices; // usable ones, compute capability ≥ 7.5
    std::string reason;              // why the list is empty or installed GPUs are missing from it; else empty
    bool isBuilt = true; // false: the program is compiled without CUDA, and the reason tells how to change that
};

// Returns the usable GPUs. The first call asks the driver, which can take a second; the result is cached, because
// GPUs don't come and go, and the window calls this function once for each choice that it offers. May be called from
// any thread; doesn't throw.
const CudaDevices& cudaDevices();

} // namespace engine
