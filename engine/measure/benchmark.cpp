#include "engine/measure/benchmark.h"

#include "engine/error.h"
#include "engine/measure/gups.h"

#include <algorithm>
#include <chrono>
#include <numbers>
#include <random>
#include <thread>

namespace engine
{

namespace
{

struct Setting {
    Interpolation interpolation;
    Precision precision;
    int slicesPerPass;
};

// The four choices of the paper, one at a time from the common case, and half with several slices,
// where both save memory traffic.
constexpr Setting settings[] = {
    {Interpolation::linear, Precision::single, 1},      {Interpolation::linear, Precision::single, 2},
    {Interpolation::linear, Precision::single, 4},      {Interpolation::linear, Precision::single, 8},
    {Interpolation::linear, Precision::half, 1},        {Interpolation::linear, Precision::half, 8},
    {Interpolation::nearest, Precision::single, 1},     {Interpolation::nearest, Precision::single, 8},
    {Interpolation::oversampled, Precision::single, 1}, {Interpolation::oversampled, Precision::single, 8},
    {Interpolation::cubic, Precision::single, 1},       {Interpolation::cubic, Precision::single, 8},
};

// A setting is repeated for no longer than this, so that slow rows don't hold up the others.
constexpr double secondsPerRow = 6;

using Clock = std::chrono::steady_clock;
double secondsSince(Clock::time_point begin)
{
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

Sinograms makeSinograms(int slices, int projections, int bins)
{
    std::mt19937 generator(1);
    Sinograms sinograms{slices, projections, bins, {}};
    sinograms.values.resize(static_cast<std::size_t>(slices) * projections * bins);
    for (float& value : sinograms.values)
        value = static_cast<float>(generator()) * 0x1p-32f;
    return sinograms;
}

BenchmarkRow measure(const Method& method, const Setting& setting, const BenchmarkOptions& options,
                     const std::stop_token& stop)
{
    const Sinograms sinograms = makeSinograms(setting.slicesPerPass, options.projections, options.size);
    ParallelBeam beam;
    beam.bins = options.size;
    for (int p = 0; p < options.projections; ++p)
        beam.anglesRad.push_back(std::numbers::pi * p / options.projections);
    beam.axisBins = {beam.middleBins()};
    const SliceGrid grid{options.size, 0, 0, options.size, options.size, 1};
    const std::vector<double> weights = angularWeights(beam.anglesRad);
    BenchmarkRow row;
    Volume image(setting.slicesPerPass, options.size, options.size);
    std::vector<double> kernel, total;
    const auto begin = Clock::now();
    // Run 0 warms up, but is counted where it alone takes the whole time.
    for (int run = 0; run <= options.repeat; ++run) {
        const auto runBegin = Clock::now();
        const FilteredSinograms filtered =
            filterSinograms(sinograms, {}, weights, method.filterPrecision, options.threads, {}, stop);
        const double filterSeconds = secondsSince(runBegin);
        const LaunchTimes times = method.launch({filtered,
                                                 beam,
                                                 grid,
                                                 setting.interpolation,
                                                 row.oversampling,
                                                 setting.precision,
                                                 setting.slicesPerPass,
                                                 options.threads,
                                                 image,
                                                 {},
                                                 stop});
        const bool late = secondsSince(begin) > secondsPerRow;
        if (run > 0 || late) {
            kernel.push_back(times.kernelSeconds);
            total.push_back(filterSeconds + times.totalSeconds);
        }
        if (late)
            break;
    }
    row.method = method.id;
    row.device = toText(DeviceSettings{method.device, options.device.index});
    row.interpolation = setting.interpolation;
    row.precision = setting.precision;
    row.slicesPerPass = setting.slicesPerPass;
    row.size = options.size;
    row.projections = options.projections;
    row.threads = options.threads > 0 ? options.threads : static_cast<int>(std::thread::hardware_concurrency());
    const double voxels = static_cast<double>(image.values.size());
    row.kernelSeconds = median(kernel);
    row.totalSeconds = median(total);
    row.fastestKernelSeconds = *std::min_element(kernel.begin(), kernel.end());
    row.slowestKernelSeconds = *std::max_element(kernel.begin(), kernel.end());
    row.kernelGups = gigaUpdatesPerSecond(voxels, options.projections, row.kernelSeconds);
    row.totalGups = gigaUpdatesPerSecond(voxels, options.projections, row.totalSeconds);
    return row;
}

Request requestOf(const Method& method, const Setting& setting, const BenchmarkOptions& options)
{
    Request request;
    request.method = method.id;
    request.interpolation = setting.interpolation;
    request.precision = setting.precision;
    request.slicesPerPass = setting.slicesPerPass;
    request.device = options.device;
    return request;
}

} // namespace

std::vector<BenchmarkRow> benchmarkMethods(const BenchmarkOptions& options,
                                           const std::function<void(const BenchmarkRow&)>& onRow, std::stop_token stop)
{
    if (options.size < 1 || options.projections < 1 || options.repeat < 1 || options.threads < 0)
        throw Error(ErrorKind::badRequest, "size, projections and repetitions of a benchmark must be 1 or more");
    for (const std::string& id : options.methods)
        if (!findMethod(id))
            throw Error(ErrorKind::badRequest, "unknown method '" + id + "'");
    std::vector<BenchmarkRow> rows;
    std::string reason;
    for (const Method& method : methods()) {
        const bool named =
            std::find(options.methods.begin(), options.methods.end(), method.id) != options.methods.end();
        if (!options.methods.empty() && !named)
            continue;
        for (const Setting& setting : settings) {
            // The yardstick isn't made to be fast: one setting shows how far away it is.
            const bool common = &setting == settings;
            if (&method == findMethod("exact") && !common)
                continue;
            if (const auto problem = method.unsupported(requestOf(method, setting, options))) {
                reason = *problem;
                continue;
            }
            rows.push_back(measure(method, setting, options, stop));
            if (onRow)
                onRow(rows.back());
        }
    }
    if (rows.empty())
        throw Error(ErrorKind::badRequest, "nothing to benchmark: " + reason);
    return rows;
}

} // namespace engine
