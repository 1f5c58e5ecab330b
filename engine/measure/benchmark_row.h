// SPDX-License-Identifier: GPL-3.0-or-later
// A row of a benchmark, whatever was measured: slices, cones, planes, volumes, steps of a paper or a card.
#pragma once

#include "engine/backends/unit_rates.h"
#include "engine/base/device.h"
#include "engine/request/setting.h"

#include <span>
#include <string>
#include <variant>
#include <vector>

namespace engine
{

// A figure that only one kind of benchmark has.
struct Figure {
    enum class Unit { none, seconds, bytesPerSecond, share, times, perSecond };
    std::string key;   // in reports
    std::string label; // in tables; empty: in reports only
    double value = 0;  // NaN: not measured
    Unit unit = Unit::none;
};
double figureOf(const std::vector<Figure>& figures, const std::string& key); // NaN: there is none

struct BenchmarkRow {
    std::string method;
    std::string geometry; // "cone beam"
    std::string device;   // "cuda:1"; of a volume also several
    std::string plane;    // "x", "y", "z", "turned", "leaning", "tilted"; empty: no plane
    std::string output;   // of a volume: "hdf5" or "tiffs"
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
    std::string variant;   // if it is no instruction set; empty: the one measured fastest
    std::string transform; // of the filter on a GPU; empty: our own
    std::string step;      // of BenchmarkOptions::steps
    // Of that step: printed speed over that of the first step; 0: not printed. OpenMp: see PaperStep::printedOpenMp.
    double paperFactor = 0, paperFactorOpenMp = 0;
    std::string instructionSet;                                       // if the method has instruction sets as variants
    double filterSeconds = 0, uploadSeconds = 0, downloadSeconds = 0; // medians; 0: unknown, or there is none
    double kernelSeconds = 0, kernelGups = 0;                         // medians
    double totalSeconds = 0, totalGups = 0; // Timings::totalSeconds, with newly allocated image memory in every run
    // The same with image memory that an earlier run used, as for the groups of a volume; 0: not measured. Only for
    // GPU runs with images of 64 MiB or more, where it makes a difference.
    double reusedTotalSeconds = 0, reusedTotalGups = 0;
    double wholeSeconds = 0; // of a plane from the request to the image, of a volume from disk to disk; 0: of neither
    std::vector<double> filterRuns, kernelRuns, totalRuns, reusedTotalRuns; // seconds of each counted run
    std::vector<double> uploadRuns, downloadRuns;
    double slowestKernelSeconds = 0, fastestKernelSeconds = 0;
    double waitedShare = 0;         // as in Timings: median of the counted runs; 0 on a GPU
    std::vector<double> waitedRuns; // of each counted run
    // Of the device, before the first and after the last counted run; 0: unknown.
    double clockBeforeMhz = 0, clockAfterMhz = 0;
    // Of a GPU's board, and updates with filter and copies per joule, in 10⁹, during runs without a pause; 0: unknown.
    double watts = 0, gupsPerWatt = 0;
    KernelOccupancy occupancy;   // of the kernel on a GPU; registers 0: unknown
    double texturePeakShare = 0; // kernel GU/s over (texels/s of the GPU × slices per pass); 0 on a processor
    std::vector<Limit> limits;   // the lowest first; see addLimits()
    // Of a card and of steps: the kernel's error on a phantom (phantom_errors.h); 0: unknown.
    double relativeError = 0;
    std::vector<Figure> figures = {}; // of a volume
};

// A member of a row that reports have under a key. 0 and empty texts are left out.
struct RowField {
    const char* key;
    std::variant<int BenchmarkRow::*, double BenchmarkRow::*, std::string BenchmarkRow::*,
                 std::vector<double> BenchmarkRow::*>
        member;
};
std::span<const RowField> rowFields(); // all but those that take more than a name and a value

void addFilterFigures(BenchmarkRow& row); // seconds and speed of a parallel beam's filter
// Returns what the steps of a paper compare: 10⁹ filtered values per second if the row has them as a figure, else the
// kernel's GU/s.
double comparedSpeedOf(const BenchmarkRow& row);

// Returns "oversampled:4", and "tensor (variant) linear half, 64 per pass: 2048 × 512 → 2048² × 64", which names what
// was measured.
std::string interpolationNameOf(const BenchmarkRow& row);
std::string nameOf(const BenchmarkRow& row);

// Sets seconds and speeds from those of the runs. updates: of a run.
void setSpeeds(BenchmarkRow& row, double updates);

// Returns the row that measured the same setting and problem, on any processor; nullptr if there is none.
const BenchmarkRow* sameSetting(const std::vector<BenchmarkRow>& rows, const BenchmarkRow& row);

} // namespace engine
