// SPDX-License-Identifier: GPL-3.0-or-later
// How fast a kernel could be if one unit of its device were always busy: the measured rate of that unit over the
// operations that an update takes there (Chilingaryan et al. 2020, section 6.5, Tables 13 to 16).
#pragma once

#include "engine/request/setting.h"

#include <initializer_list>
#include <string>
#include <vector>

namespace engine
{

// The speed of a kernel if one unit of the device were always busy.
struct Limit {
    std::string unit;     // "shared memory"
    double gups = 0;      // of all cores in use
    double perUpdate = 0; // operations or bytes that an update takes there
};

struct UnitRate {
    std::string key, label; // in reports: "sharedBytes", "bytes of shared memory"
    double perSecond = 0;
    // Of the key "fetches": the format of the image, and how it is read.
    int channels = 0; // numbers per texel: 1, 2 or 4
    bool half = false;
    bool nearest = false; // else linear interpolation
};

// Measured rates of all units of a device together; of one core of a processor.
struct DeviceRates {
    std::string name;            // "cuda:1"; of a processor the instruction set: "AVX2"
    std::vector<UnitRate> units; // empty: they can't be measured, for example because the device's memory is full
    double shareOfEach = 1; // of a processor's rates: what each thread has while all compute; about ½ if two threads
                            // share a core

    double of(const std::string& key) const; // 0: unknown
};

// What the operations of an update depend on.
struct KernelWork {
    Kernel kernel;              // method: an id; variant: empty for the one measured fastest, and for instruction sets
    bool isCone = false;        // cone beam
    DeviceSettings device;      // the one used
    std::string instructionSet; // on the processor; empty: the method has no kernels for several sets
    int threads = 0;            // of the processor; 0: all
    bool isOnGpu = true;        // false: a device that isn't a GPU runs the methods of GPUs, without texture units
};

// A unit, its rate, and the operations of an update there; 0: none, or not counted.
struct UnitUse {
    const char* unit;
    double perSecond, perUpdate;
};
std::vector<Limit> lowestFirst(std::initializer_list<UnitUse> units);

int samplesOf(Interpolation interpolation); // that an update reads

// Returns the bytes that methods with bins in shared or local memory read there per update: each sample by itself,
// cubic four of them. Halves lie there as floats, except those of four slices with nearest or linear interpolation.
double cachedBytesOf(const Kernel& kernel);

} // namespace engine
