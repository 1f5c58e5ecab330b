// SPDX-License-Identifier: GPL-3.0-or-later
// What the user asks for: a plain value from the widgets or the command line to the kernels.
#pragma once

#include "engine/scan/scan.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace engine
{

enum class Interpolation { nearest, linear, oversampled, cubic };
enum class Precision { single, half }; // of the stored sinogram: float ("float") or IEEE half; sums are float

enum class Window { none, ramLak, sheppLogan, cosine, hann, hamming, parzen, butterworth };
enum class PadMode { zero, edge, cylinder };

// What was chosen of the steps of preparation: values of their parameters (engine/prepare/steps.h) by id, a choice as
// its place in the list, where they aren't the table's.
struct PreparationSettings {
    std::map<std::string, double> values;
    std::vector<std::string> order = {}; // all steps by id (engine/prepare/step_order.h); empty: the table's
    bool operator==(const PreparationSettings&) const = default;
};

enum class Stage { read, prepare, axis, filter, backproject };

enum class FilterPrecision { float32, float64 }; // of what is filtered, by the method

// Of filtered back-projection (Kak and Slaney 1988, section 3.3). `Window::none` leaves the projections unfiltered.
struct FilterSettings {
    Window window = Window::ramLak;
    double cutoff = 1.0; // of Nyquist, (0, 1]
    int order = 2;       // Butterworth only, 1…mostOrder
    static constexpr int mostOrder = 100;
    PadMode padMode = PadMode::zero;
    bool operator==(const FilterSettings&) const = default;
};

// Where the rotation axis is. `automatic` finds it from the data, unless the scan knows it; `find` even then.
struct AxisSettings {
    enum class Mode { automatic, find, middle, given };
    Mode mode = Mode::automatic;
    double bins = 0; // Mode::given: from the centre of bin 0
    bool operator==(const AxisSettings&) const = default;
};

struct DeviceSettings {
    enum class Kind { automatic, cpu, cuda };
    static constexpr int allGpus = -1;
    Kind kind = Kind::automatic;
    int index = 0; // CUDA device, or allGpus
    bool operator==(const DeviceSettings&) const = default;
};

// Rectangle of the slice in pixels, row 0 on top.
struct Region {
    int column = 0, row = 0, width = 0, height = 0;
    bool operator==(const Region&) const = default;
};

// How filtered projections become an image.
struct Kernel {
    std::string method = "auto"; // id in the table of methods
    Interpolation interpolation = Interpolation::linear;
    int oversampling = 4; // positions a bin, Interpolation::oversampled only; 1…64
    Precision precision = Precision::single;
    int slicesPerPass = 1;    // slices that a kernel reconstructs at once
    std::string variant = {}; // one of the method's own, to compare; empty: as measured fastest
    bool operator==(const Kernel&) const = default;
};

// All that can make the same slice look different.
struct Setting {
    PreparationSettings preparation = {};
    FilterSettings filter;
    AxisSettings axis;
    Kernel kernel;
    bool operator==(const Setting&) const = default;
};

// What of the scan is reconstructed.
struct Place {
    RowRange slices;              // rows of the scan
    std::optional<Region> region; // the whole slice when empty
    int previewStep = 1; // > 1: every step-th pixel along each side (a coarse preview; method cpu: of coarse bins)
    // Of a cone beam, whose image then is their part of the sum: they count as among all. All of them when empty.
    std::optional<RowRange> projections = {};
    // Where set, `slices` are counted in pairs, from both ends of these to their middle: 2k is the k-th, 2k + 1 the one
    // that mirrors it. They begin with a whole pair, and end with one or in the middle. An image has those of the upper
    // half, then those of the lower one, each from the top (runsOf).
    std::optional<RowRange> pairsOf = {};
    bool operator==(const Place&) const = default;
};

std::vector<RowRange> runsOf(const Place& place); // the slices that it names, as an image has them: one run or two
int sliceAt(const Place& place, int number);      // of the scan, of one of place.slices

enum class FilterOn { automatic, gpu, processor };

// Where it is done, and with how much.
struct Resources {
    DeviceSettings device;                   // of one slice
    std::vector<DeviceSettings> others = {}; // that share the slices of a volume with it
    FilterOn filterOn = FilterOn::automatic; // of cone beams that a GPU back-projects
    int threads = 0;                         // of the processor; 0: all
    double memoryLimitBytes = 0;             // of the process, for a whole volume; 0: half of the machine's
    bool operator==(const Resources&) const = default;
};

// Equal requests have equal images: the same scan, not one like it.
struct Request {
    std::shared_ptr<const Scan> scan;
    Setting setting;
    Place place;
    Resources resources;
    bool operator==(const Request&) const = default;
};

// The voxels that a request asks for: its slices, whole or their region, coarsened by previewStep. Where they are in
// pairs, with all slices between these.
VolumeGrid gridOf(const Request& request);
int projectionsOf(const Request& request); // how many

// Text forms, as the command line, the reports and the settings file write them.
// The from… functions throw Error(badRequest) that names the value and lists the valid ones.
std::string toText(Interpolation);
std::string toText(Precision); // "float", "half"
std::string toText(Window);    // "ram-lak", "hann", …: ids of filter/windows.h
std::string toText(PadMode);
std::string toText(FilterOn);                // "auto", "gpu", "processor"
std::string toText(const AxisSettings&);     // "auto", "find", "middle" or a number
std::string toText(const DeviceSettings&);   // "auto", "cpu", "cuda", "cuda:1", "cuda:all"
std::string devicesToText(const Resources&); // "cuda,cuda:1,cpu"
Interpolation interpolationFromText(const std::string& text, int* oversampling = nullptr); // "oversampled:8" sets it
Precision precisionFromText(const std::string&);
Window windowFromText(const std::string&);
PadMode padModeFromText(const std::string&);
FilterOn filterOnFromText(const std::string&);
AxisSettings axisFromText(const std::string&);
DeviceSettings deviceFromText(const std::string&);              // one
void setDevices(Resources& resources, const std::string& text); // one or several
// "X,Y,W,H" in pixels.
Region regionFromText(const std::string& text);
std::string toText(const Region& region);

} // namespace engine
