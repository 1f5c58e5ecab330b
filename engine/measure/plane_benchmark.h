// SPDX-License-Identifier: GPL-3.0-or-later
// Speed of planes through a scan whose projections are read and filtered already, as in a view of planes.
#pragma once

#include "engine/request/setting.h"

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace engine
{

struct PlaneBenchmarkOptions {
    std::string geometry = "parallel"; // id of geometryKinds()
    int size = 512;                    // bins and rows, and pixels along each side of a plane
    int projections = 512;
    DeviceSettings device;
    Precision precision = Precision::single;
    Interpolation interpolation = Interpolation::linear;
    int repeat = 5; // counted planes after one warm-up, each one voxel further
    int threads = 0;
    std::shared_ptr<const Scan> scan = {}; // measured instead of a simulated one, with its geometry and sizes
};

struct MeasuredPlane {
    std::string plane; // "x", "y", "z", "tilted"
    std::string method;
    double kernelSeconds = 0, kernelGups = 0; // medians
    double wholeSeconds = 0;                  // from the request to the image, median
};

struct PlaneBenchmark {
    PlaneBenchmarkOptions options;
    std::string device;
    double startSeconds = 0; // of the device, with planes of a tiny scan; not part of the other times
    // Of three coarse planes from every eighth projection, as a view shows first, without the time of simulating a
    // scan. None: the scan has too few projections, or stores them together.
    std::optional<double> coarseSeconds;
    double firstSeconds = 0;      // of the first plane after these: everything is read, prepared, filtered and uploaded
    double firstThreeSeconds = 0; // of the first plane, x, and y and z after it
    // Of these: reading the scan, or simulating it; preparing and filtering. For a GPU all three run at the same time
    // as the upload.
    double readSeconds = 0, prepareSeconds = 0, filterSeconds = 0;
    std::vector<MeasuredPlane> planes;
    double moveSeconds = 0; // of three planes, x, y and z, after a move of the cross-hair, median
};

// doing: receives the progress, for a progress bar. Throws Error.
PlaneBenchmark benchmarkPlanes(const PlaneBenchmarkOptions& options,
                               const std::function<void(double fraction, const std::string& doing)>& doing = {},
                               const std::stop_token& stop = {});

std::string planeBenchmarkJson(const PlaneBenchmark& benchmark);

} // namespace engine
