// SPDX-License-Identifier: GPL-3.0-or-later
// Devices that compute, whichever program interface they have, and what can be asked of them.
#pragma once

#include <string>
#include <vector>

namespace engine
{

struct Device {
    int index = 0;        // in the list of its backend
    std::string name;     // "NVIDIA H200"
    std::string details;  // for lists: "GPU 0 · compute capability 9.0"
    std::string unusable; // why no method can use the device; empty: some can
    bool isGpu = true;
    double memoryBytes = 0;
    double clockMhz = 0;
    int computeUnits = 0;       // multiprocessors
    double texelsPerSecond = 0; // peak rate of the texture units at that clock; 0: unknown
    std::string processors;     // CPUs near the device in Linux's notation: "0-15"; empty if unknown

    int computeMajor = 0, computeMinor = 0; // compute capability of NVIDIA GPUs

    // Of OpenCL devices.
    std::string platform;
    std::string driver; // version of the driver and of the platform
    double largestBufferBytes = 0;
    double localBytes = 0;    // of local memory for a group of threads
    double constantBytes = 0; // of one constant buffer
    bool hasImages = false;
    bool hasHalfArithmetic = false; // cl_khr_fp16
    int mostImageWidth = 0, mostImageHeight = 0, mostImageLayers = 0;
};

struct Devices {
    std::vector<Device> devices;
    std::string reason; // why the list is empty or installed devices are missing from it; else empty
};

// The clock, power, temperature and memory of a device at this moment. A value of 0 can't be known: the device, or its
// driver, doesn't report it.
struct DeviceState {
    double clockMhz = 0; // of the multiprocessors
    double watts = 0;    // of the whole board
    double joules = 0;   // used by the board since its driver was loaded; counted in steps of some 20 ms
    double celsius = 0;
    double usedBytes = 0, totalBytes = 0; // of its memory, by all programs
};

// How much of a multiprocessor a kernel occupies (Chilingaryan et al. 2020, Tables 12 and 19).
struct KernelOccupancy {
    int registers = 0;    // per thread; 0: unknown
    int sharedBytes = 0;  // per block
    int threads = 0;      // per block
    int blocks = 0;       // that a multiprocessor holds at the same time
    double occupancy = 0; // threads that it holds then, over those that it can hold
};

} // namespace engine
