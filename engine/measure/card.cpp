// SPDX-License-Identifier: GPL-3.0-or-later
// The fastest method of each interpolation and precision, and its error.
#include "engine/measure/benchmark_kinds.h"

#include "engine/backends/devices.h"
#include "engine/base/machine.h"
#include "engine/base/text.h"
#include "engine/measure/phantom_errors.h"
#include "engine/measure/tune.h"

#include <algorithm>
#include <cmath>

namespace engine
{

namespace
{

struct CardSetting {
    Interpolation interpolation;
    Precision precision;
};
constexpr CardSetting settings[] = {
    {Interpolation::linear, Precision::half},        {Interpolation::linear, Precision::single},
    {Interpolation::nearest, Precision::half},       {Interpolation::nearest, Precision::single},
    {Interpolation::oversampled, Precision::single}, {Interpolation::cubic, Precision::single},
};

// Returns the seconds for 2048³ voxels from 2048 projections with the row's setting, and what was measured for it. On a
// GPU that is several passes, whose copies, filter and kernels overlap as in a volume.
std::vector<Figure> volumeTime(const BenchmarkRow& row, BenchmarkOptions options, const std::stop_token& stop)
{
    constexpr int mostSlices = 512, leastPasses = 3;
    constexpr double shareOfMemory = 1 / 6.0; // for recorded data and image; a prepared copy is held, too
    const double sliceBytes = sizeof(float) * row.size * (0.0 + row.size + row.projections);
    const double fitting = std::min<double>(mostSlices, shareOfMemory * machineMemoryBytes() / sliceBytes);
    int passes = static_cast<int>(fitting) / row.slicesPerPass;
    double gups = row.totalGups;
    if (isProcessor(options.device) || passes < leastPasses)
        passes = 1;
    else {
        options.methods = {row.method};
        options.interpolation = row.interpolation;
        options.precision = row.precision;
        options.slicesPerPass = row.slicesPerPass;
        options.slices = passes * row.slicesPerPass;
        gups = benchmarkMethods(options, {}, stop).front().totalGups;
    }
    std::vector<Figure> figures = {{"secondsFor2048Cubed",
                                    "2048³ voxels from 2048 projections, linear, memory to memory",
                                    1e-9 * std::pow(2048.0, 4) / gups, Figure::Unit::seconds},
                                   {"measuredSlices", "Slices measured for it, whose time is scaled by the updates",
                                    1.0 * passes * row.slicesPerPass}};
    if (passes > 1)
        figures.push_back({"measuredPasses", "Passes of these slices, whose copies and kernels overlap", 1.0 * passes});
    return figures;
}

} // namespace

Benchmark measureCard(const BenchmarkOptions& options, const BenchmarkWatch& watch, const std::stop_token& stop)
{
    const std::string command = ("sinoscope-cli benchmark " + optionName("card") + " " + optionName("device") + " " +
                                 toText(options.device) + " " + optionName("size") + " " + std::to_string(options.size))
                                    .in(commandLineStyle());
    BenchmarkOptions asked; // without what would leave out methods that `auto` may choose
    asked.size = options.size;
    asked.projections = options.projections;
    asked.device = options.device;
    asked.threads = options.threads;
    asked.repeat = options.repeat;
    BenchmarkRow linear;                                 // with the highest total speed
    std::vector<BenchmarkRow> rows(std::size(settings)); // the fastest of each
    for (const BenchmarkRow& row : benchmarkAutomatic(asked, {.onProgress = watch.onProgress}, stop)) {
        if (row.interpolation == Interpolation::linear && row.totalGups > linear.totalGups)
            linear = row;
        for (std::size_t k = 0; k < rows.size(); ++k)
            if (row.interpolation == settings[k].interpolation && row.precision == settings[k].precision &&
                row.kernelGups > rows[k].kernelGups)
                rows[k] = row;
    }
    std::erase_if(rows, [](const BenchmarkRow& row) { return row.method.empty(); }); // that no method can
    if (watch.onProgress)
        watch.onProgress(1, "errors beside `exact`");
    Benchmark made = benchmarkOf(options, std::move(rows));
    if (isProcessor(options.device))
        made.device += ", " + threadsText(made.threads);
    made.command = command;
    PhantomErrors errors("parallel", {.device = options.device}, stop);
    for (BenchmarkRow& row : made.rows)
        row.relativeError = errors.of(row, stop);
    made.figures = volumeTime(linear, asked, stop);
    return made;
}

} // namespace engine
