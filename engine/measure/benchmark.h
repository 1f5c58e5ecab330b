// SPDX-License-Identifier: GPL-3.0-or-later
// Speed of each method on this machine: warm-up, repetitions, medians.
#pragma once

#include "engine/backproject/method.h"
#include "engine/backproject/parallel/cpu/peaks.h"
#include "engine/cuda/launched_kernel.h"

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
    int volumeSlices = 0;              // of a cone's volume, which the detector sees completely; 0: a cube
    int projections = 512;
    std::vector<std::string> methods; // empty: all that the device supports but yardsticks
    DeviceSettings device;
    std::optional<Interpolation> interpolation; // only settings with it
    std::optional<Precision> precision;
    std::optional<int> slicesPerPass;
    int repeat = 5;            // counted runs after one warm-up; fewer if they take longer than 6 s together
    std::string variant;       // for methods that have it, if the build contains it; see Kernel
    int batch = 0;             // as Kernel::batch
    bool everyVariant = false; // also all other variants of the methods, except instruction sets
    bool everyTuning = false;  // also the variants that `tune` may choose (Variant::isTuning)
    // Id of a sequence of a paper (engine/backproject/paper_steps.h): measures its steps instead of `methods`.
    std::string steps;
    // Parallel beams: slices of a GPU run; 0: one pass. More slices go through the pipeline, filter included. Cones:
    // slices of a slab in the middle; 0: the whole volume, and one slice for the yardstick.
    int slices = 0;
    int threads = 0;
    bool measuresPower = false; // of GPUs that report it: repeats each setting for a second longer
    // Names of instruction sets, see processorTargets(). A method that has them as variants runs once with each. Empty:
    // the best one of this processor.
    std::vector<std::string> instructionSets;
};

// The speed of a kernel if one unit of the device were always busy (engine/measure/limits.h).
struct Limit {
    std::string unit;     // "shared memory"
    double gups = 0;      // of all cores in use
    double perUpdate = 0; // operations or bytes that an update takes there
};

struct BenchmarkRow {
    std::string method;
    std::string geometry; // "cone beam"
    std::string device;
    Interpolation interpolation = Interpolation::linear;
    int oversampling = 4;
    Precision precision = Precision::single;
    int slicesPerPass = 1;
    int slices = 1; // reconstructed per run
    int size = 0;   // pixels along each side of a slice
    int bins = 0;
    double alpha = 0; // of a cone's whole volume: input values per output voxel
    int projections = 0;
    int threads = 0;
    std::string variant;        // if it is no instruction set; empty: the one measured fastest
    std::string step;           // of BenchmarkOptions::steps
    double paperFactor = 0;     // of that step: printed speed over that of the first step; 0: not printed
    std::string instructionSet; // if the method has instruction sets as variants
    double filterSeconds = 0;
    double kernelSeconds = 0, kernelGups = 0; // medians
    double totalSeconds = 0, totalGups = 0;   // Timings::totalSeconds, with newly allocated image memory in every run
    // The same with image memory that an earlier run used, as for the groups of a volume; 0: not measured. Only for
    // GPU runs with images of 64 MiB or more, where it makes a difference.
    double reusedTotalSeconds = 0, reusedTotalGups = 0;
    std::vector<double> kernelRuns, totalRuns, reusedTotalRuns; // seconds of each counted run
    double slowestKernelSeconds = 0, fastestKernelSeconds = 0;
    // Of the device, before the first and after the last counted run; 0: unknown.
    double clockBeforeMhz = 0, clockAfterMhz = 0;
    // Of a GPU's board, and updates with filter and copies per joule, in 10⁹, during runs without a pause; 0: unknown.
    double watts = 0, gupsPerWatt = 0;
    KernelOccupancy occupancy;   // of the kernel on a GPU; registers 0: unknown
    double texturePeakShare = 0; // kernel GU/s over (texels/s of the GPU × slices per pass); 0 on a processor
    std::vector<Limit> limits;   // the lowest first; see addLimits()
};

// Returns the instruction set that a kernel of the method uses on this processor: its variant, or the set in use. Empty
// if the method has no kernels for several sets.
std::string instructionSetFor(const Method& method, const Kernel& kernel);

// Returns the name of the first GPU that was measured, or of the processor.
std::string measuredDevice(const std::vector<BenchmarkRow>& rows);

// Returns whether a device's clock, in MHz, stayed within 2 % between two readings; true if one of them is 0, unknown.
bool isClockSteady(double beforeMhz, double afterMhz);

struct BenchmarkPlan {
    int settings = 0;                 // to be measured
    std::vector<std::string> leftOut; // ids of yardsticks, which are made for accuracy, not for speed
};

// Returns what benchmarkMethods measures with the options. Throws Error(badRequest) if there is nothing to measure.
BenchmarkPlan planBenchmark(const BenchmarkOptions& options);

// Measures the settings. Those on the processor run in turns, so that temporary load of the machine affects all of
// them; one on a GPU whose clock changed meanwhile is measured up to three times. onFraction receives the share that
// is done, by the number of runs, in ascending order; it may be called from any thread, but from one at a time.
// Throws Error(badRequest) if there is nothing to measure.
std::vector<BenchmarkRow> benchmarkMethods(const BenchmarkOptions& options,
                                           const std::function<void(const BenchmarkRow&)>& onRow = {},
                                           std::stop_token stop = {},
                                           const std::function<void(double)>& onFraction = {});

// Measures one problem after another: with options.steps those of the paper; for cones those of Chen et al. 2019,
// Table 4, with every method and variant; for parallel beams sizes from 256 to 4096 with as many projections, and every
// method. Linear interpolation, unless the options say otherwise; slices per pass: for cones those that the method
// would choose, for parallel beams the method's fewest. Leaves out what doesn't fit into memory, and runs that would
// take longer than mostSeconds for all settings of a method or all steps once, extrapolated from the previous problem,
// or from a small one; onSkipped receives the reason, onFraction the share of all updates that is done.
std::vector<BenchmarkRow> sweepProblems(const BenchmarkOptions& options, double mostSeconds,
                                        const std::function<void(const BenchmarkRow&)>& onRow = {},
                                        const std::function<void(const std::string&)>& onSkipped = {},
                                        std::stop_token stop = {}, const std::function<void(double)>& onFraction = {});

} // namespace engine
