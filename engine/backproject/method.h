// A way to back-project, and the table of all of them: the single source for the window, the
// command line, the tests and the benchmark.
#pragma once

#include "engine/backproject/cuda/kernels.h"
#include "engine/filter/filter.h"
#include "engine/request.h"
#include "engine/volume.h"

#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace engine
{

// Everything that a launch needs. References outlive the launch.
struct LaunchArguments {
    const FilteredSinograms& sinograms; // in the method's own filterPrecision
    const ParallelBeam& beam;           // axisBins filled: one, or one per projection
    const SliceGrid& grid;
    Interpolation interpolation;
    int oversampling;
    Precision precision;
    int slicesPerPass;
    int threads;                          // processor methods; 0: all
    Volume& image;                        // [sinograms.slices][grid.height][grid.width], every value is overwritten
    std::function<void(double)> progress; // may be empty; called from any thread
    std::stop_token stop;                 // asked at least every 50 ms
    int deviceIndex = 0;                  // NVIDIA methods
    std::string aluTuning = "tuned";      // as in Request
};

struct LaunchTimes {
    double kernelSeconds = 0; // back-projection alone: conversion and transfers are not in it
    double totalSeconds = 0;  // with them
};

struct Method {
    const char* id;        // as the command line and files name it: "exact", "cpu"
    const char* label;     // as the window shows it
    const char* summary;   // one sentence for a tooltip
    const char* reference; // paper and section, or where it comes from
    DeviceSettings::Kind device;
    FilterPrecision filterPrecision;
    std::vector<int> slicesPerPass; // offered slice modes, ascending
    // Why the request can't be done by this method (device, interpolation, precision, slice mode,
    // geometry), in words for the user; nothing when it can.
    std::optional<std::string> (*unsupported)(const Request&);
    LaunchTimes (*launch)(const LaunchArguments&);
    cuda::Kernels kernel = {}; // NVIDIA methods only
    // `auto` takes the highest of those that can do the request; null: never this one.
    int (*rank)(const Request&) = nullptr;
    // Are request.slicesPerPass slices at once worth while, against fewer? Null: more always are.
    bool (*worthwhile)(const Request&) = nullptr;
    bool textureWeights = false; // interpolates by the texture unit, whose weights have 8 bits
    bool tunings = false;        // obeys Request::aluTuning
    bool yardstick = false;      // the one that all others are measured against
};

// THE table.
std::span<const Method> methods();

// The row with this id; "auto" gives the fastest that can do the request on its device.
// Throws Error(badRequest) for an unknown id or an impossible request, naming the reason.
const Method& methodFor(const Request& request);
const Method* findMethod(const std::string& id); // nullptr when unknown

// The row that the others are measured against.
const Method& yardstick();

// What the processor makes of a request that a GPU failed to do, slice mode included, which is changed where it must
// be; nullptr when nothing fits.
const Method* processorMethodFor(Request& request);

// The slice mode that is fastest for as many slices as the request asks for, whichever it names: the largest that
// they fill, of the method named or, for "auto", of the first device that has one. 1 when nothing fits.
int slicesPerPassFor(const Request& request);

// The rows. One file each.
extern const Method exactMethod;                                                          // cpu/exact.cpp
extern const Method doubleMethod;                                                         // cpu/double.cpp
extern const Method cpuMethod;                                                            // cpu/cpu.cpp
extern const Method standardMethod, textureMethod, aluMethod, hybridMethod, tensorMethod; // cuda/methods.cpp

} // namespace engine
