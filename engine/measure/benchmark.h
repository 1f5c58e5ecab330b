// SPDX-License-Identifier: GPL-3.0-or-later
// How fast each method is here: warm-up, repetitions, medians.
#pragma once

#include "engine/backproject/method.h"
#include "engine/backproject/parallel/cpu/peaks.h"

#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace engine
{

struct BenchmarkOptions {
    std::string geometry = "parallel"; // id of geometryKinds()
    int size = 512;                    // bins, and pixels along each side of a slice; a cone's detector is square
    int voxels = 0;                    // of a cone: along each side of a slice; 0: as many as bins
    int volumeSlices = 0;              // of a cone's volume, which the detector sees whole; 0: a cube
    int projections = 512;
    std::vector<std::string> methods; // empty: all rows that the device can do
    DeviceSettings device;
    std::optional<Interpolation> interpolation; // only settings with it
    std::optional<Precision> precision;
    std::optional<int> slicesPerPass;
    int repeat = 5;            // counted runs after one warm-up
    std::string variant;       // of the methods that have it, where it is in the build; see Kernel
    bool everyVariant = false; // once more with each of the methods' own variants that is no instruction set
    // Parallel beams: of a GPU run; 0: one pass. More go through the pipeline, filter included. Cones: a slab in the
    // middle; 0: the whole volume, and one slice of the yardstick.
    int slices = 0;
    int threads = 0;
    // Of the methods that have them as variants, which then run once with each; empty: the best here. See
    // processorTargets().
    std::vector<std::string> instructionSets;
};

struct BenchmarkRow {
    std::string method;
    std::string geometry; // "cone beam"
    std::string device;
    Interpolation interpolation = Interpolation::linear;
    int oversampling = 4;
    Precision precision = Precision::single;
    int slicesPerPass = 1;
    int slices = 1; // reconstructed in a run
    int size = 0;   // pixels along each side of a slice
    int bins = 0;
    double alpha = 0; // of a cone's whole volume: values in over voxels out
    int projections = 0;
    int threads = 0;
    std::string variant;        // that is no instruction set; empty: as measured fastest
    std::string instructionSet; // of the methods that have them as variants
    double filterSeconds = 0;
    double kernelSeconds = 0, kernelGups = 0; // medians
    double totalSeconds = 0, totalGups = 0;   // Timings::totalSeconds, with new memory for the image in every run
    // The same with memory that an earlier run used, as the groups of a volume have it; 0: not measured. Only of GPU
    // runs with images of 64 MiB or more, where it makes a difference.
    double reusedTotalSeconds = 0, reusedTotalGups = 0;
    std::vector<double> kernelRuns, totalRuns, reusedTotalRuns; // seconds of each counted run
    double slowestKernelSeconds = 0, fastestKernelSeconds = 0;
    double texturePeakShare = 0; // kernel GU/s over texels/s of the GPU × slices a pass; 0 on a processor
};

// Settings on the processor take turns, so that a machine that is busy for a while is so for all of them.
// Throws Error(badRequest) when nothing is left to measure.
std::vector<BenchmarkRow> benchmarkMethods(const BenchmarkOptions& options,
                                           const std::function<void(const BenchmarkRow&)>& onRow = {},
                                           std::stop_token stop = {});

// What Chen et al. 2019 sizes up its kernels with (Table 4).
struct ConeProblem {
    int bins, projections, voxels, slices;
    double updates() const { return 1.0 * voxels * voxels * slices * projections; }
};
std::span<const ConeProblem> conePaperProblems();

// All of them that fit into memory, with every method and variant: linear interpolation, the slice mode that the method
// would take. What would take longer than mostSeconds, going by the problem before, is left out; onSkipped hears why.
std::vector<BenchmarkRow> sweepCones(const BenchmarkOptions& options, double mostSeconds,
                                     const std::function<void(const BenchmarkRow&)>& onRow = {},
                                     const std::function<void(const std::string&)>& onSkipped = {},
                                     std::stop_token stop = {});

} // namespace engine
