// SPDX-License-Identifier: GPL-3.0-or-later
// A way to back-project, and the table of all of them: the single source for the window, the
// command line, the tests and the benchmark.
#pragma once

#include "engine/base/note.h"
#include "engine/data/sinograms.h"
#include "engine/data/volume.h"
#include "engine/filter/filter.h"
#include "engine/request/keys.h"
#include "engine/request/setting.h"
#include "engine/scan/geometry.h"

#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace engine
{

class DevicePreparation;

namespace cuda
{
class Pipeline;
class ConePipeline;
} // namespace cuda

// The filter of a method that filters itself, on its device.
struct OwnFilter {
    const FilterSettings& settings;
    const RayWeights& weights;
    std::optional<FilteredKey> key; // what the workspace may keep the result under
    bool onProcessor = false;       // cone beams: by its cores, while the GPU back-projects; not of recorded rows
};

// Everything that a launch needs. References outlive the launch.
struct LaunchArguments {
    SinogramView sinograms;   // filtered, in the method's own filterPrecision; see `filter` and `preparation`
    int firstRow = 0;         // cone beams: of the detector, that of the first sinogram
    const Geometry& geometry; // one that the method takes, axisBins filled: one, or one per projection
    const VolumeGrid& grid;
    Kernel kernel;                        // its method is the one that is launched
    int threads = 0;                      // processor methods; 0: all
    int deviceIndex = 0;                  // NVIDIA methods
    std::optional<OwnFilter> filter = {}; // of methods that filter: then the sinograms are prepared ones
    // Of methods that filter: recorded rows of all slices, and what makes sinograms of them; those have a shape alone
    // then.
    const DevicePreparation* preparation = nullptr;
    // [grid.slices][grid.height][grid.width], every value is overwritten. Of methods in mirrored pairs it may have
    // fewer slices: those from both ends of the grid, half of them each, the upper end's one more.
    Volume& image;
    std::function<void(double)> progress = {}; // may be empty; called from any thread
    std::stop_token stop = {};                 // asked at least every 50 ms
};

// What a launch took, and where.
struct LaunchReport {
    double prepareSeconds = 0; // of a preparation on the device
    bool unprepared = false;   // it needs the processor's: lines without a good value. The image is worth nothing
    double filterSeconds = 0;  // of OwnFilter: upload, transforms and interleaving
    bool filterReused = false;
    double kernelSeconds = 0;   // back-projection alone: conversion and transfers are not in it
    double totalSeconds = 0;    // with them and the filter; of a filter that is reused, what it took once
    std::string device = {};    // as the user knows it; empty: the processor
    double texelsPerSecond = 0; // the device's own peak, as in Reconstruction
    std::vector<Note> notes = {};
};

// What a device keeps from launch to launch, so that the next one needn't fetch memory or filter again. One thread at a
// time.
struct Workspace {
    std::shared_ptr<cuda::Pipeline> gpu;
    std::shared_ptr<cuda::ConePipeline> coneGpu;
};

// One of a method's own ways to work, there to be compared.
struct Variant {
    std::string id, summary;
};

bool takesParallelBeam(const Geometry& geometry);
bool takesConeBeam(const Geometry& geometry);

struct Method {
    const char* id;        // as the command line and files name it: "exact", "cpu"; one row of a geometry has it
    const char* label;     // as the window shows it
    const char* summary;   // one sentence for a tooltip
    const char* reference; // paper and section, or where it comes from
    DeviceSettings::Kind device;
    FilterPrecision filterPrecision;
    std::vector<int> slicesPerPass; // offered slice modes, ascending
    // Why the request can't be done by this method (device, interpolation, precision, slice mode), in words for the
    // user; nothing when it can. Ask `refusalOf`, which knows geometries too.
    std::optional<std::string> (*unsupported)(const Request&);
    // What the program, `verify`, the benchmark and the tests call.
    LaunchReport (*launch)(const LaunchArguments&, Workspace&);
    bool (*takes)(const Geometry&) = takesParallelBeam;
    bool filters = false; // takes prepared sinograms, and recorded rows, too: see OwnFilter
    // Of cones: twice as fast or more where the slices lie evenly around the mid-plane. Takes images without some in
    // the middle, too.
    bool inMirroredPairs = false;
    // `auto` takes the highest of those that can do the request; null: never this one.
    int (*rank)(const Request&) = nullptr;
    // Are request.setting.kernel.slicesPerPass slices at once worth while, against fewer? Null: more always are.
    bool (*worthwhile)(const Request&) = nullptr;
    bool textureWeights = false;                  // interpolates by the texture unit, whose weights have 8 bits
    std::vector<Variant> (*variants)() = nullptr; // values of Kernel::variant; null: none
    bool yardstick = false; // what all others are measured against, however slow: one of each device, the same bits
    bool isReference =
        false; // what images are compared with: as right, and fast enough to wait for; one of each device
};

// THE table.
std::span<const Method> methods();
std::vector<const Method*> methodsFor(const Geometry& geometry); // those that take it

// Why the method can't do the request; nothing when it can.
std::optional<std::string> refusalOf(const Method& method, const Request& request);

std::vector<Variant> variantsOf(const Method& method);

// A variant that the method hasn't means nothing to it. "" every method has.
bool hasVariant(const Method& method, const std::string& variant);

// The row with this id; "auto" gives the fastest that can do the request on its device.
// Throws Error(badRequest) for an unknown id or an impossible request, naming the reason.
const Method& methodFor(const Request& request);
const Method* findMethod(const std::string& id); // the first of that name; nullptr when unknown
// Of those that take the geometry, where one does; else as above.
const Method* findMethod(const std::string& id, const Geometry& geometry);
const Method* findMethod(const Request& request); // the one that it names, for its scan's geometry

const Method& yardstick(const Geometry& geometry = ParallelBeam{});       // the processor's row with that mark
const Method& referenceMethod(const Geometry& geometry = ParallelBeam{}); // likewise
const Method& referenceMethodFor(const Request& request); // a GPU's where the request allows it, whatever it names

// What the processor makes of a request that a GPU failed to do, slice mode included, which is changed where it must
// be; in double precision what was to be in double precision. nullptr when nothing fits.
const Method* processorMethodFor(Request& request);

// The slice mode that is fastest for as many slices as the request asks for, whichever it names: the largest that
// they fill, of the method named or, for "auto", of the best one of the first device that has one. 1 when nothing fits.
int slicesPerPassFor(const Request& request);

// The rows of processors, one file each, and of NVIDIA GPUs.
extern const Method exactMethod, doubleMethod, cpuMethod;         // parallel/cpu/{exact,double,cpu}.cpp
extern const Method exactConeMethod, cpuConeMethod, ladderMethod; // cone/cpu/{exact,cpu,ladder}.cpp
std::span<const Method> gpuMethods();                             // parallel/cuda/methods.cpp
std::span<const Method> coneGpuMethods();                         // cone/cuda/methods.cpp

} // namespace engine
