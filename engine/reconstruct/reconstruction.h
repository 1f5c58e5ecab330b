// SPDX-License-Identifier: GPL-3.0-or-later
// What comes back: images, the request that made them, and where the time went.
#pragma once

#include "engine/base/note.h"
#include "engine/data/volume.h"
#include "engine/request/setting.h"

#include <optional>
#include <string>

namespace engine
{

std::string toText(Stage);

// Seconds of a stage when it was last computed; `reused` when this run took it from memory.
struct StageTime {
    double seconds = 0;
    bool reused = false;
};

struct Timings {
    StageTime read, prepare, axis, filter;
    double kernelSeconds = 0;      // back-projection alone (on a GPU from events)
    double backprojectSeconds = 0; // with its transfers and conversions
    double reduceSeconds = 0;      // of a volume by several ranks whose images are summed
    double writeSeconds = 0;       // of a whole volume
    double elapsedSeconds = 0;     // wall clock of this run, whatever was reused

    // What "total" means everywhere: from prepared projections in host memory to the image in host memory, by the wall
    // clock. It includes the filter, transfers and back-projection, and the first touch of the image's memory where
    // that is new. Less than the sum of its stages where they overlap. A filter that is reused counts as when it ran.
    double totalSeconds = 0;
};
// What the stages took one after the other, over the time that passed: δ of Chen et al. 2019, Table 5. 0 where nothing
// passed.
double overlapOf(const Timings& times);

// What one of several devices made of a volume.
struct DeviceShare {
    std::string device;
    int slices = 0;
    double kernelSeconds = 0, totalSeconds = 0; // as in Timings
    double kernelGups = 0, totalGups = 0;
    std::string failure = {}; // what ended it, a sentence; the others made the rest
};

struct Reconstruction {
    Request request;          // as asked
    std::string method;       // the method that ran ("auto" resolved)
    std::string device;       // the device that ran it, as a user would name it
    double axisBins = 0;      // the axis used (mean, where it differs per projection)
    std::string axisSource;   // "given", "middle", "scan", "automatic", "guess"
    std::string axisHow = {}; // of an automatic one: AxisFound, as the next two
    std::optional<double> axisConfidence = {};
    Text axisDoubt = {}; // of a doubtful one, a sentence
    VolumeGrid grid;
    Volume image;     // attenuation per pixel, or 1/mm where the pixel size is known
    std::string unit; // "1/pixel" or "1/mm"
    Timings timings;
    double kernelGups = 0;
    double totalGups = 0;
    std::vector<DeviceShare> shares = {}; // of several devices; the figures above are sums of theirs
    double texelsPerSecond = 0;           // of the texture units of the GPU that ran it; 0 on a processor
    double texturePeakShare = 0; // kernel GU/s over that peak times the slices a pass; above 1: not by texture units
    std::string from = {};       // where an image comes from that was not made here: "recon.h5, slice 40"
    std::vector<int> emptyProjections = {}; // of the scan's, where they were read: engine/scan/empty_projections.h
    std::vector<Note> notes;                // mended pixels, fallbacks: one sentence each, for the user
};

// GU/s and the share of the texture peak, from request, grid and timings.
void setFigures(Reconstruction& result);

} // namespace engine
