// SPDX-License-Identifier: GPL-3.0-or-later
// Measured peak rates of an OpenCL device, with which the speeds of the kernels are compared. OpenCL doesn't report
// what the units of a device can do.
#pragma once

#include <compare>
#include <map>

namespace engine
{

// An image, and how it is read.
struct FetchedFormat {
    int channels = 1; // numbers per texel: 1, 2 or 4
    bool half = false;
    bool nearest = false; // else linear interpolation
    auto operator<=>(const FetchedFormat&) const = default;
};

// Rates per second, of all compute units together.
struct OpenClPeaks {
    std::map<FetchedFormat, double> fetches; // from the cache; without formats that the device doesn't read rightly
    double localBytes = 0;                   // read from local memory, by neighbouring threads from neighbouring places
    double multiplyAdds = 0;                 // fused multiply-adds of floats
};

// Returns the rates of the device with that index in openClDevices(). The first call for a device measures them, the
// best of a few tries each: within half a second on a GPU after its kernels are compiled. May be called from any
// thread. Throws Error(device) and Error(noMemory).
OpenClPeaks openClPeaks(int index);

} // namespace engine
