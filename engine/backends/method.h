// SPDX-License-Identifier: GPL-3.0-or-later
// Methods of back-projection, and the table of all of them: the single source for the window, the command line, the
// tests and the benchmark.
#pragma once

#include "engine/base/note.h"
#include "engine/data/plane.h"
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
struct Backend;
struct Machine;

// Filter settings for a method that filters its input itself, on its device.
struct OwnFilter {
    const FilterSettings& settings;
    const RayWeights& weights;
    std::optional<FilteredKey> key; // key under which the workspace may cache the result
    bool onProcessor = false; // cone beams: the processor filters while the GPU back-projects; not for recorded rows
};

// Arguments of a launch. The referenced objects must outlive the launch.
struct LaunchArguments {
    SinogramView sinograms;   // filtered, in the method's filterPrecision; but see `filter` and `preparation`
    int firstRow = 0;         // cone beams: detector row of the first sinogram
    const Geometry& geometry; // accepted by the method; axisBins has one value, or one per projection
    const VolumeGrid& grid;
    // The plane that is reconstructed, with bilinear interpolation in bin and row, or the nearest values; the image is
    // [1][plane.height][plane.width], and the grid that of whole slices from the one on, whose row is the first of the
    // sinograms (parallel beams). Null: slices.
    const Plane* plane = nullptr;
    int projectionStep = 1; // of planes: of so many projections one is summed, with as many times its weight
    // For planes: key under which the workspace may hold the filtered sinograms on the device. If it holds them,
    // `sinograms` needs no values.
    std::optional<FilteredKey> filteredKey = {};
    Kernel kernel;                        // kernel.method is the launched method
    int threads = 0;                      // for processor methods; 0: all
    int deviceIndex = 0;                  // for methods of GPUs (deviceIndexFor)
    std::optional<OwnFilter> filter = {}; // for methods that filter; if set, the sinograms are prepared, not filtered
    // For methods that filter: the recorded rows of all slices or of the plane, and the steps that make sinograms from
    // them. If set, `sinograms` has a shape but no values.
    const DevicePreparation* preparation = nullptr;
    // For planes whose recorded rows are still being read: waits until the first so many projections are there. Throws
    // Error. Empty: all are there.
    std::function<void(int projections)> waitFor = {};
    // [grid.slices][grid.height][grid.width]; every value is overwritten. For methods with inMirroredPairs the image
    // may have fewer slices than the grid: half of them from each end of the grid, one more from the upper end if their
    // number is odd.
    Volume& image;
    std::function<void(double)> progress = {}; // may be empty; called from any thread
    std::stop_token stop = {};                 // polled at least every 50 ms
};

// Times of a launch, and the device that it ran on.
struct LaunchReport {
    double prepareSeconds = 0; // for preparation on the device
    bool unprepared = false;   // needs the processor's preparation (lines without a good value); the image is invalid
    double filterSeconds = 0;  // for OwnFilter: transforms and interleaving
    bool filterReused = false;
    double kernelSeconds = 0;                      // back-projection alone, without conversion and transfers
    double uploadSeconds = 0, downloadSeconds = 0; // of the rows, if they aren't reused, and of the image; 0: unknown
    double totalSeconds = 0;    // of everything, filter included; a reused filter counts with its original time
    std::string device = {};    // name for the user; empty: the processor
    double texelsPerSecond = 0; // peak of the device's texture units, as in Reconstruction
    std::optional<double> waitedShare = {}; // as in Timings
    std::vector<Note> notes = {};
};

// Variant of a method, offered for comparison. source: paper and section; empty if it is ours. isTuning: it changes
// only how pixels and projections are divided among blocks, threads and units, not how a unit interpolates or rounds,
// so that `tune` may choose it.
struct Variant {
    std::string id, summary, source = {};
    bool isTuning = false;
};

bool takesParallelBeam(const Geometry& geometry);
bool takesConeBeam(const Geometry& geometry);

// Which planes a method reconstructs as such, from filtered rows. One of voxels may also be a region of slices.
enum class PlaneSupport {
    none,
    betweenVoxels, // those that are no region of slices
    acrossSlices,  // in addition, those that cross slices, which it reconstructs faster than regions of these
    all,           // in addition, those of one slice, for the same reason
};

struct Method {
    const char* id;        // id on the command line and in files: "exact", "cpu"; unique per geometry
    const char* label;     // label in the window
    const char* summary;   // one sentence for a tooltip
    const char* reference; // paper and section, or another source
    FilterPrecision filterPrecision;
    std::vector<int> slicesPerPass; // offered slice modes, ascending
    // Returns why the method can't do the request (interpolation, precision, slice mode) on a device of its kind that
    // the machine has, in words for the user; nothing if it can. Call `refusalOf` instead, which checks geometry and
    // device before.
    std::optional<std::string> (*unsupported)(const Request&, const Machine&);
    bool (*takes)(const Geometry&) = takesParallelBeam;
    PlaneSupport planes = PlaneSupport::none;
    bool planesInHalf = false; // in half precision, too
    // Returns whether the method filters a request's sinograms itself, on its device: see OwnFilter. Null:
    // never.
    bool (*filters)(const Request&, const Machine&) = nullptr;
    bool preparesToo = false; // a method that filters accepts recorded rows, too: LaunchArguments::preparation
    // For cone beams: at least twice as fast where the slices lie evenly around the mid-plane. Also accepts images
    // without some slices in the middle (LaunchArguments::image).
    bool inMirroredPairs = false;
    // `auto` chooses the method with the highest rank that can do the request. Null: never this one.
    int (*rank)(const Request&) = nullptr;
    // Returns whether request.setting.kernel.slicesPerPass slices per pass are faster than fewer slices. Null: more
    // slices always are.
    bool (*worthwhile)(const Request&) = nullptr;
    bool textureWeights = false;                  // interpolates with the texture unit, whose weights have 8 bits
    std::vector<Variant> (*variants)() = nullptr; // values of Kernel::variant; null: none
    // Whether the method is the one against which the accuracy of all others is measured, however slow it is. A
    // geometry has one for each kind of device at most, and these give the same bits.
    bool yardstick = false;
    // Whether images are compared with those of this method: it is as accurate as the yardstick, and fast enough to
    // wait for. A geometry has one for each kind of device at most.
    bool isReference = false;
    // Id of the method of another backend that does the same: `alu` of `alu-opencl`. Null: the method's own id.
    const char* family = nullptr;
    const Backend* backend = nullptr; // set in the table, methods()
};

const Machine& thisMachine(); // whose devices and measured speeds decide where no other machine is given (devices.h)

// Returns the table of all methods.
std::span<const Method> methods();
std::vector<const Method*> methodsFor(const Geometry& geometry); // methods that accept the geometry

// Returns whether the request's plane is reconstructed as such, and not as a region of slices. A plane of
// voxels is a region of slices, with the same bits as these, unless other planes will follow (Place::readsAll), it
// crosses slices or is a cone beam's, and a method supports that (PlaneSupport): the filtered projections of all rows
// are then kept (GPU: on the device), while each region would store its bins again (GPU: read, upload and filter its
// rows).
bool isLaunchedAsPlane(const Request& request, const Machine& machine = thisMachine());

// Returns why the method can't do the request; nothing if it can.
std::optional<std::string> refusalOf(const Method& method, const Request& request,
                                     const Machine& machine = thisMachine());

// Returns whether the method gets the request's sinograms unfiltered. request: as it is launched, so that a plane is
// one that is reconstructed as such (isLaunchedAsPlane).
bool filtersItself(const Method& method, const Request& request, const Machine& machine = thisMachine());

const char* familyOf(const Method& method); // Method::family, or its own id

// Returns why the method can't filter with the transform that the request names; nothing if it can, or if the processor
// filters.
std::optional<std::string> transformProblem(const Method& method, const Request& request,
                                            const Machine& machine = thisMachine());

std::vector<Variant> variantsOf(const Method& method);

// Returns whether the method has the variant. Every method has "". Requests for other variants are treated as "".
bool hasVariant(const Method& method, const std::string& variant);

// Returns the method with the request's id; for "auto" the one with the highest rank that can do the request on its
// device, or one that was measured faster there (measured_speeds.h). Throws
// Error(badRequest) for an unknown id or an impossible request, and Error(device) for a missing GPU, with the reason.
const Method& methodFor(const Request& request, const Machine& machine = thisMachine());
const Method* findMethod(const std::string& id); // the first method with that id; nullptr if unknown
// Returns the first method with that id that accepts the geometry; if none of them does, the first one with that id;
// nullptr if the id is unknown.
const Method* findMethod(const std::string& id, const Geometry& geometry);
const Method* findMethod(const Request& request); // the method that the request names, for its scan's geometry

const Method& yardstick(const Geometry& geometry = ParallelBeam{});       // the processor's, marked `yardstick`
const Method& referenceMethod(const Geometry& geometry = ParallelBeam{}); // the processor's, marked `isReference`
// Returns the GPU's reference method if that can do the request, else the processor's. Which method the request names
// doesn't matter.
const Method& referenceMethodFor(const Request& request, const Machine& machine = thisMachine());

// Returns the processor's method for a request at which a GPU failed. Changes the request's method to "auto", its
// device, and its slice mode where necessary; a request in double precision stays in double precision. nullptr if no
// method fits.
const Method* processorMethodFor(Request& request, const Machine& machine = thisMachine());

// Returns the fastest slice mode for the number of slices that the request asks for. The mode that the request names
// doesn't matter. A mode is suitable if the slices fill it, it is worthwhile and the method can do it. If the request
// names a method, returns its largest suitable mode, or its smallest mode if none is suitable. For "auto", returns the
// largest suitable mode of the GPU method with the highest rank, or of the processor's if no GPU method has one, unless
// another mode that the slices fill was measured faster (measured_speeds.h); 1 if none is suitable.
int slicesPerPassFor(const Request& request, const Machine& machine = thisMachine());

} // namespace engine
