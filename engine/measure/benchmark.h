// SPDX-License-Identifier: GPL-3.0-or-later
// Speed of the methods on this machine: warm-up, repetitions, medians.
#pragma once

#include "engine/backends/method.h"
#include "engine/measure/benchmark_row.h"
#include "engine/measure/limits.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace engine
{

struct BenchmarkOptions {
    enum class Kind {
        methods, // each method that the options allow, with a problem of one size, or the steps of a paper
        // One problem after another: with `steps` those of the paper; for cones those of Chen et al. 2019, Table 4,
        // with every method and variant; for parallel beams sizes from 128 to 4096 with as many projections, and every
        // method. Linear interpolation, unless the options say otherwise; slices per pass: for cones those that the
        // method would choose, for parallel beams the method's fewest. Leaves out what doesn't fit into memory, and
        // runs that would take longer than `mostSeconds`.
        sizes,
        // What this machine does, on one page: the fastest method of each interpolation and precision, with any number
        // of slices per pass, of all that `auto` may choose; its share of the device's limits, and its error.
        card,
        planes, // through a scan whose projections are read and filtered already, as in a view of planes
        volume, // from disk to disk, to one HDF5 file and to TIFFs, beside the speed of the disk alone
    };
    Kind kind = Kind::methods;
    std::string geometry = "parallel"; // id of geometryKinds()
    // Bins, and pixels along each side of a slice; a cone's detector is square. 0: 2048 for a card of a GPU, else 512
    int size = 0;
    int voxels = 0;                     // of a cone: along each side of a slice; 0: as many as bins
    int volumeSlices = 0;               // of a cone's volume, which the detector sees completely; 0: a cube
    int projections = 0;                // 0: of a card and a volume as many as bins, else 512
    std::vector<std::string> methods;   // empty: all that the device supports but yardsticks
    DeviceSettings device;              // of a card, automatic: the first GPU that can be used, else the processor
    std::vector<DeviceSettings> others; // which share the slices of a volume with `device`
    std::optional<Interpolation> interpolation; // only settings with it; planes: linear
    std::optional<Precision> precision;         // of a volume: half; of planes: float
    std::optional<int> slicesPerPass;
    int repeat = 5;            // counted runs after one warm-up; fewer if they take longer than 6 s together
    std::string variant;       // for methods that have it, if the build contains it; see Kernel
    int batch = 0;             // as Kernel::batch
    bool everyVariant = false; // also all other variants of the methods, except instruction sets
    bool everyTuning = false;  // also the variants that `tune` may choose (Variant::isTuning)
    // Id of a sequence of a paper (engine/measure/paper_steps.h): measures its steps instead of `methods`.
    std::string steps;
    // Parallel beams: slices of a GPU run; 0: one pass. More slices go through the pipeline, filter included. Cones:
    // slices of a slab in the middle; 0: the whole volume, and one slice for the yardstick. Of a simulated scan of
    // `volume`; 0: as many as bins.
    int slices = 0;
    int threads = 0;
    bool measuresPower = false; // of GPUs that report it: repeats each setting for a second longer
    // Names of instruction sets, see processorTargets(). A method that has them as variants runs once with each. Empty:
    // the best one of this processor.
    std::vector<std::string> instructionSets;
    // Of `sizes`: for all settings of a method, or all steps, once; extrapolated from the problem before, or a small
    // one
    double mostSeconds = 0;
    std::shared_ptr<const Scan> scan = {}; // of `planes` and `volume`; null: a simulated one
    std::string sampleType = "uint16";     // of the scan that `volume` simulates, or "float32"
    std::filesystem::path folder = {};     // of `volume`, which writes everything to a temporary folder in it
    double memoryLimitBytes = 0;           // of `volume`; 0: half of the machine's
};

struct Benchmark {
    BenchmarkOptions options; // with the sizes and the device that were used
    std::string device;       // "NVIDIA H200", or the processor
    std::string version, date;
    std::string command; // what measures it again; empty: unknown
    std::string scan;    // name of the one that was measured; empty: random numbers
    int threads = 0;
    std::vector<BenchmarkRow> rows;      // at least one, but for `sizes`
    std::vector<Figure> figures;         // of `card`, `planes` and `volume`, beside the rows
    std::vector<std::string> yardsticks; // ids of methods that were left out: made for accuracy, not for speed
    std::vector<std::string> leftOut;    // problems of `sizes`, steps that the device lacks, and why
    MachinePeaks peaks;                  // of the devices, if the rows have limits
};

// What a benchmark reports while it runs; from any thread, but from one at a time.
struct BenchmarkWatch {
    std::function<void(const BenchmarkRow&)> onRow = {};
    // The share that is done, in ascending order, and what is measured.
    std::function<void(double fraction, const std::string& doing)> onProgress = {};
};

// Throws Error(badRequest) if there is nothing to measure.
Benchmark runBenchmark(const BenchmarkOptions& options, const BenchmarkWatch& watch = {}, std::stop_token stop = {});

// Returns the options with the sizes that those left 0 stand for, and of a card the device.
BenchmarkOptions withSizes(BenchmarkOptions options);

// Returns rows that were measured by `methods` or `sizes` with their limits, and with what is known about this machine.
Benchmark benchmarkOf(const BenchmarkOptions& options, std::vector<BenchmarkRow> rows);

// Returns the number of settings that `methods` measures. Throws Error(badRequest) if there are none.
int settingsOf(const BenchmarkOptions& options);

// Measures the settings of `methods`. Those on the processor run in turns, so that temporary load of the machine
// affects all of them; one on a GPU whose clock changed meanwhile is measured up to three times.
std::vector<BenchmarkRow> benchmarkMethods(const BenchmarkOptions& options, const BenchmarkWatch& watch = {},
                                           std::stop_token stop = {});

// Returns the instruction set that a kernel of the method uses on this processor: its variant, or the set in use. Empty
// if the method has no kernels for several sets.
std::string instructionSetFor(const Method& method, const Kernel& kernel);

// Returns the name of the first GPU that was measured, or of the processor.
std::string measuredDevice(const std::vector<BenchmarkRow>& rows);

// Returns whether a device's clock, in MHz, stayed within 2 % between two readings; true if one of them is 0, unknown.
bool isClockSteady(double beforeMhz, double afterMhz);

} // namespace engine
