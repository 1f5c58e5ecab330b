// SPDX-License-Identifier: GPL-3.0-or-later
// The result of a request: images, the request, and the time of each stage.
#pragma once

#include "engine/base/core_waiting.h"
#include "engine/base/note.h"
#include "engine/data/volume.h"
#include "engine/request/setting.h"
#include "engine/scan/doubt.h"

#include <optional>
#include <string>

namespace engine
{

struct Method;

std::string toText(Stage);

// Seconds of a stage when it last ran; `reused` if this run took its result from the cache.
struct StageTime {
    double seconds = 0;
    bool reused = false;
};

struct Timings {
    StageTime read, prepare, axis, filter;
    double kernelSeconds = 0;                      // back-projection only (on a GPU measured with events)
    double backprojectSeconds = 0;                 // with transfers and conversions
    double uploadSeconds = 0, downloadSeconds = 0; // of these transfers; 0: unknown, or there is none
    double exchangeSeconds = 0;                    // exchanging the projections of several ranks
    double reduceSeconds = 0;                      // summing the images of several ranks
    double writeSeconds = 0;                       // of a whole volume
    double elapsedSeconds = 0;                     // wall-clock time of this run, also if stages were reused

    // The definition of "total" everywhere: wall-clock time from prepared projections in host memory to the image in
    // host memory. It includes the filter, transfers, back-projection, and the first touch of newly allocated image
    // memory. It is less than the sum of its stages if they overlap. A reused filter counts with the time that it
    // took when it ran.
    double totalSeconds = 0;

    // Share of the back-projection's time that threads of the processor waited for a core, because of other work
    // (CoreWaiting). Nothing: unknown, or a device's kernel.
    std::optional<double> waitedShare = {};
    bool isSlowed() const { return waitedShare > slowedShare; }
};
// Returns the sum of the stages' times over the elapsed time: δ of Chen et al. 2019, Table 5. 0 if no time elapsed.
double overlapOf(const Timings& times);

// One device's share of a volume that several devices reconstructed.
struct DeviceShare {
    std::string device;
    int slices = 0;
    double kernelSeconds = 0, totalSeconds = 0; // as in Timings
    double kernelGups = 0, totalGups = 0;
    std::string failure = {}; // the error that stopped it, a sentence; the others reconstructed the rest
};

struct Reconstruction {
    Request request;          // as requested
    std::string method;       // the method used ("auto" resolved)
    std::string device;       // the device used, as a user would name it
    double axisBins = 0;      // the axis used (mean if it differs per projection)
    std::string axisSource;   // "given", "middle", "scan", "automatic", "guess"
    std::string axisHow = {}; // for an automatic axis; see AxisFound for this member and the next two
    std::optional<double> axisConfidence = {};
    Text axisDoubt = {}; // of a doubtful axis, a sentence
    VolumeGrid grid;
    Volume image;     // attenuation per pixel, or per mm if the pixel size is known
    std::string unit; // "1/pixel" or "1/mm"
    Timings timings;
    double kernelGups = 0;
    double totalGups = 0;
    std::vector<DeviceShare> shares = {}; // if several devices shared the volume; the rates above are sums of theirs
    double texelsPerSecond = 0;           // peak rate of the texture units of the GPU used; 0 on a processor
    double texturePeakShare = 0;          // kernel GU/s over (peak × slices per pass); above 1: texture units not used
    std::string from = {};                // source of an image that was not reconstructed here: "recon.h5, slice 40"
    std::string likelyUnit = {};          // of an image from a file that specifies no unit: it would fit in this unit
    std::vector<int> emptyProjections = {}; // of the scan, as far as read: see engine/scan/empty_projections.h
    std::vector<Doubt> doubts = {};         // about the scan, as far as read
    std::vector<Note> gaps = {};            // of `notes`: rows of the detector that are missing from a plane, and why
    std::vector<Note> notes;                // repaired pixels, fallbacks: one sentence each, for the user
};

// Returns the method that reconstructed it; nullptr of an image that was not reconstructed.
const Method* methodOf(const Reconstruction& made);

// Returns warnings about the scan that belong beside the image, whatever it is shown or stored in.
std::vector<Text> warningsOf(const Reconstruction& made);

// Returns every reason to doubt the image, sentences: these warnings, a doubtful axis, and doubts from opening the scan
// about what its values mean and about angles, given or assumed.
std::vector<Text> doubtsAbout(const Reconstruction& made);

// Returns the projections of the scan that spoil the image and can be left out.
std::vector<int> spoilingProjections(const Reconstruction& made);

// Computes GU/s and the share of the texture peak from request, grid and timings.
void setFigures(Reconstruction& result);

} // namespace engine
