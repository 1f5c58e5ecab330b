// SPDX-License-Identifier: GPL-3.0-or-later
// Which NVIDIA GPUs there are. Compiled without CUDA too: then there are none, and it says why.
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
    std::string processors; // near it, as Linux lists them: "0-15"; empty where that isn't known

    // What the hardware could do at that clock: four filtered texels, and 32 banks of 4 bytes, each
    // cycle of each multiprocessor (Turing to Blackwell).
    double texelsPerSecond() const { return 4.0 * multiprocessors * clockMhz * 1e6; }
    double sharedBytesPerSecond() const { return 128.0 * multiprocessors * clockMhz * 1e6; }
};

struct CudaDevices {
    std::vector<CudaDevice> devices; // usable ones, compute capability ≥ 7.5
    std::string reason;              // why the list is empty or shorter than what is installed; else empty
    bool isBuilt = true; // false: the program is compiled without CUDA, and the reason says how to change that
};

// Asks the driver at the first call, which can take a second, and remembers: GPUs don't come and go, and
// the window asks for every choice that it offers. From any thread; doesn't throw.
const CudaDevices& cudaDevices();

} // namespace engine
