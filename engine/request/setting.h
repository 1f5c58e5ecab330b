// SPDX-License-Identifier: GPL-3.0-or-later
// A user's request: a plain value, passed from the widgets or the command line to the kernels.
#pragma once

#include "engine/data/plane.h"
#include "engine/request/sampling.h"
#include "engine/scan/scan.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace engine
{

enum class Window { none, ramLak, sheppLogan, cosine, hann, hamming, parzen, butterworth };
enum class PadMode { zero, edge, cylinder };

// Settings of the preparation steps that differ from the defaults: values of their parameters
// (engine/prepare/steps.h) by id; a choice is stored as its index in the list.
struct PreparationSettings {
    std::map<std::string, double> values;
    std::vector<std::string> order = {}; // ids of all steps (engine/prepare/step_order.h); empty: the default order
    bool operator==(const PreparationSettings&) const = default;
};

enum class Stage { read, prepare, axis, filter, backproject };

enum class FilterPrecision { float32, float64 }; // of the filtered sinograms; determined by the method

// Filter of filtered back-projection (Kak and Slaney 1988, section 3.3). `Window::none` leaves the projections
// unfiltered.
struct FilterSettings {
    Window window = Window::ramLak;
    double cutoff = 1.0; // relative to the Nyquist frequency, (0, 1]
    int order = 2;       // Butterworth only, 1…mostOrder
    static constexpr int mostOrder = 100;
    PadMode padMode = PadMode::zero;
    bool operator==(const FilterSettings&) const = default;
};

// Position of the rotation axis. `automatic`: as stored in the scan, else found from the data; `find`: always found.
struct AxisSettings {
    enum class Mode { automatic, find, middle, given };
    Mode mode = Mode::automatic;
    double bins = 0; // Mode::given: from the centre of bin 0
    bool operator==(const AxisSettings&) const = default;
};

struct DeviceSettings {
    static constexpr int all = -1;
    std::string backend = "auto"; // its id (engine/backends/backend.h), or "auto"
    int index = 0;                // of its device, or `all` of its devices
    bool isAutomatic() const { return backend == "auto"; }
    bool operator==(const DeviceSettings&) const = default;
};

// Rectangle of the slice in pixels; row 0 is the top row.
struct Region {
    int column = 0, row = 0, width = 0, height = 0;
    bool operator==(const Region&) const = default;
};

// An upright part of the volume whose long side has any direction: a rectangle of each slice.
struct Slab {
    double column = 0, row = 0;   // of its middle, in pixels of the slice
    double angleDeg = 0;          // of its long side, anticlockwise from the rows
    int width = 0, thickness = 0; // pixels along and across
    bool operator==(const Slab&) const = default;
};

// What transforms the rows for the filter on a GPU: a kernel of ours; or cuFFT, as complex rows of two each, or as real
// ones.
enum class FilterTransform { own, cufft, cufftReal };

// Settings of back-projection, and of the filter on the device before it.
struct Kernel {
    std::string method = "auto"; // id in the table of methods
    Interpolation interpolation = Interpolation::linear;
    int oversampling = 4; // samples per bin, Interpolation::oversampled only; 1…64
    Precision precision = Precision::single;
    int slicesPerPass = 1;    // slices that a kernel reconstructs simultaneously
    std::string variant = {}; // a variant of the method, for comparisons; empty: the one measured fastest
    int batch = 0;            // cone beams on a GPU: most projections of a launch; 0: the program chooses
    FilterTransform transform = FilterTransform::own;
    bool operator==(const Kernel&) const = default;
};

// All settings that influence how a slice looks.
struct Setting {
    PreparationSettings preparation = {};
    FilterSettings filter;
    AxisSettings axis;
    Kernel kernel;
    bool operator==(const Setting&) const = default;
};

// Slices of the scan's volume, from the top; the whole ones, or a rectangle of each.
struct Slices {
    RowRange rows;
    std::optional<Region> region = {};
    bool operator==(const Slices&) const = default;
};

// Slices of a symmetric cone in pairs; made by the engine only. `numbers` counts the slices of `all` from both ends to
// the middle: 2k is the k-th slice from the top, 2k + 1 its mirror slice, the k-th from the bottom (k from 0). The
// range begins with a whole pair, and ends with a whole pair or with the middle slice, which is no pair. An image has
// the slices of the upper half first, then those of the lower half, each from the top (runsOf).
struct MirroredPairs {
    RowRange numbers, all;
    std::optional<Region> region = {};
    bool operator==(const MirroredPairs&) const = default;
};

struct SlabPart {
    RowRange rows;
    Slab slab;
    bool operator==(const SlabPart&) const = default;
};

// A plane: an image of one slice. A coarse preview of it has larger pixels and fewer projections.
struct PlanePart {
    Plane plane;
    bool othersFollow = false; // rows for all slices are read and kept, if they fit into memory
    bool operator==(const PlanePart&) const = default;
};

// The part of the scan that is reconstructed.
struct Place {
    std::variant<Slices, MirroredPairs, SlabPart, PlanePart> part;
    // Above 1: a coarse preview of every previewStep-th pixel along each side (method cpu: from coarse bins).
    int previewStep = 1;
    // Cone beams only: the projections that are back-projected, with the weights that they have among all projections.
    // The image is then a part of the sum over all projections. All projections if not set.
    std::optional<RowRange> projections = {};
    bool operator==(const Place&) const = default;

    // Copies, which are const so that nothing is assigned to them by mistake.
    const RowRange slices() const;                 // their numbers in pairs; {0, 1} for a plane
    const std::optional<RowRange> pairsOf() const; // MirroredPairs::all
    const std::optional<Region> region() const;
    const std::optional<Slab> slab() const;
    const std::optional<Plane> plane() const;
    bool othersFollow() const;

    void setSlices(const RowRange& slices);              // keeps region and slab; a plane stays as it is
    void setRegion(const std::optional<Region>& region); // keeps the slices; in place of a slab or plane
};

std::vector<RowRange> runsOf(const Place& place); // the slices of an image in their order: one run or two
int sliceAt(const Place& place, int number);      // number of place.slices() as a slice of the scan

enum class FilterOn { automatic, gpu, processor };

// Devices, threads and memory to use.
struct Resources {
    DeviceSettings device;                   // for single slices
    std::vector<DeviceSettings> others = {}; // devices that share the slices of a volume with `device`
    FilterOn filterOn = FilterOn::automatic; // for cone beams and planes that a GPU back-projects
    int threads = 0;                         // of the processor; 0: all
    double memoryLimitBytes = 0;             // of the process, for volumes and planes; 0: half of the machine's
    double memoryInUseBytes = 0;             // of the limit, by what the process keeps beside this request
    bool operator==(const Resources&) const = default;
};

// A complete request. Equal requests have equal images. The scan is compared by identity, not by content.
struct Request {
    std::shared_ptr<const Scan> scan;
    Setting setting;
    Place place;
    Resources resources;
    bool operator==(const Request&) const = default;
};
// Returns the geometry of the request's scan; a parallel beam if there is no scan yet.
const Geometry& geometryOf(const Request& request);

VolumeSize volumeOf(const Scan& scan);     // whose slices can be reconstructed
int projectionsOf(const Request& request); // number of projections

// Text forms, as the command line, the reports and the settings file write them. The from… functions throw
// Error(badRequest) that names the value and lists the valid ones.
std::string toText(Interpolation);
std::string toText(Precision); // "float", "half"
std::string toText(Window);    // "ram-lak", "hann", …: ids of filter/windows.h
std::string toText(PadMode);
std::string toText(FilterOn);                // "auto", "gpu", "processor"
std::string toText(FilterTransform);         // "own", "cufft", "cufft-real"
std::string toText(const AxisSettings&);     // "auto", "find", "middle" or a number
std::string toText(const DeviceSettings&);   // "auto", "cpu", "cuda", "cuda:1", "cuda:all", "opencl", "opencl:1"
std::string devicesToText(const Resources&); // "cuda,cuda:1,cpu"
Interpolation interpolationFromText(const std::string& text, int* oversampling = nullptr); // "oversampled:8" sets 8
Precision precisionFromText(const std::string&);
Window windowFromText(const std::string&);
PadMode padModeFromText(const std::string&);
FilterOn filterOnFromText(const std::string&);
FilterTransform filterTransformFromText(const std::string&);
AxisSettings axisFromText(const std::string&);
// "C,R,ANGLE,W,T": column and row of the middle, degrees, width and thickness.
Slab slabFromText(const std::string&);
std::string toText(const Slab&);
// "X,Y,W,H" in pixels.
Region regionFromText(const std::string& text);
std::string toText(const Region& region);

} // namespace engine
