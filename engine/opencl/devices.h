// SPDX-License-Identifier: GPL-3.0-or-later
// OpenCL devices of this machine. In a build without OpenCL the list is empty and gives the reason.
#pragma once

#include <string>
#include <vector>

namespace engine
{

struct OpenClDevice {
    int index = 0; // GPUs first, in the order of the platforms
    std::string name, platform;
    std::string driver; // version of the driver and of the platform
    bool isGpu = false;
    int computeUnits = 0;
    double clockMhz = 0;
    double memoryBytes = 0, largestBufferBytes = 0;
    double localBytes = 0;    // of local memory for a group of threads
    double constantBytes = 0; // of one constant buffer
    bool hasImages = false;
    bool hasHalfArithmetic = false; // cl_khr_fp16
    int mostImageWidth = 0, mostImageHeight = 0, mostImageLayers = 0;
    std::string unusable; // why no method can use the device; empty: some can
};

struct OpenClDevices {
    std::vector<OpenClDevice> devices; // unusable ones too
    std::string reason;                // why the list is empty; else empty
};

bool isOpenClBuilt();       // whether this program was compiled with OpenCL; loads no drivers
bool hasOpenClTransforms(); // whether it was compiled with VkFFT, which OpenCL devices need to filter

// Returns the devices. The first call loads all drivers, which can take a second; the result is cached. May be called
// from any thread; doesn't throw.
const OpenClDevices& openClDevices();

} // namespace engine
