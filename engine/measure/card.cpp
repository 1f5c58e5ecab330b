// SPDX-License-Identifier: GPL-3.0-or-later
// The fastest method of each interpolation and precision, and its error.
#include "engine/measure/benchmark_kinds.h"

#include "engine/backends/devices.h"
#include "engine/base/machine.h"
#include "engine/base/text.h"
#include "engine/compare/metrics.h"
#include "engine/measure/tune.h"
#include "engine/reconstruct/reconstruct.h"
#include "engine/simulate/phantom.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace engine
{

namespace
{

constexpr int sizeForError = 256;

struct CardSetting {
    Interpolation interpolation;
    Precision precision;
};
constexpr CardSetting settings[] = {
    {Interpolation::linear, Precision::half},        {Interpolation::linear, Precision::single},
    {Interpolation::nearest, Precision::half},       {Interpolation::nearest, Precision::single},
    {Interpolation::oversampled, Precision::single}, {Interpolation::cubic, Precision::single},
};

// Reconstructs the phantom with one kernel after another, and compares with the exact method.
class PhantomErrors
{
  public:
    PhantomErrors(const DeviceSettings& device, const std::stop_token& stop)
    {
        Simulation simulation;
        simulation.size = sizeForError;
        simulation.projections = sizeForError;
        simulation.counts = false;
        m_request.scan = simulate(simulation);
        m_request.setting.axis.mode = AxisSettings::Mode::middle;
        m_request.setting.kernel.method = "exact";
        m_exact = m_reconstructor.run(m_request, {}, stop).image;
        m_request.resources.device = device;
        m_disc.discRadius = 0.9;
    }

    double of(const BenchmarkRow& row, const std::stop_token& stop)
    {
        Kernel& kernel = m_request.setting.kernel;
        kernel.method = row.method;
        kernel.interpolation = row.interpolation;
        kernel.oversampling = row.oversampling;
        kernel.precision = row.precision;
        kernel.slicesPerPass = row.slicesPerPass;
        const Volume image = m_reconstructor.run(m_request, {}, stop).image;
        const Metrics metrics = compareImages(image.slice(0), m_exact.slice(0), m_exact.width, m_exact.height, m_disc);
        return metrics.rmse / metrics.referenceRange;
    }

  private:
    Request m_request;
    Reconstructor m_reconstructor;
    Volume m_exact;
    Mask m_disc;
};

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
    double volumeSeconds = std::numeric_limits<double>::infinity();
    std::vector<BenchmarkRow> rows(std::size(settings)); // the fastest of each
    for (const BenchmarkRow& row : benchmarkAutomatic(asked, {.onProgress = watch.onProgress}, stop)) {
        if (row.interpolation == Interpolation::linear)
            volumeSeconds = std::min(volumeSeconds, std::pow(2048.0, 4) * 1e-9 / row.totalGups);
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
    PhantomErrors errors(options.device, stop);
    for (BenchmarkRow& row : made.rows)
        row.relativeError = errors.of(row, stop);
    made.figures = {{"secondsFor2048Cubed",
                     "2048³ voxels from 2048 projections, linear, memory to memory, at the highest total speed",
                     volumeSeconds, Figure::Unit::seconds}};
    return made;
}

} // namespace engine
