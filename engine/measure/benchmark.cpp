// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/measure/benchmark.h"

#include "engine/backends/devices.h"
#include "engine/backends/instruction_sets.h"
#include "engine/backends/support.h"
#include "engine/base/error.h"
#include "engine/base/first_error.h"
#include "engine/base/giga_updates.h"
#include "engine/base/machine.h"
#include "engine/base/start_thread.h"
#include "engine/base/stopwatch.h"
#include "engine/base/uninitialized.h"
#include "engine/measure/paper_steps.h"
#include "engine/measure/planned_runs.h"
#include "engine/reconstruct/reconstruct.h"
#include "engine/volume/slice_division.h"
#include "engine/volume/volume_plan.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

namespace engine
{

namespace
{

// Time limit for the repetitions of a setting, so that slow rows don't delay the others.
constexpr double secondsPerRow = 6;

Sinograms makeSinograms(int slices, int projections, int bins)
{
    Sinograms sinograms{slices, projections, bins, {}};
    sinograms.values.resize(static_cast<std::size_t>(slices) * projections * bins);
    std::uint32_t state = 1; // a linear congruential generator: random enough, and fast enough for gigabytes
    for (float& value : sinograms.values) {
        state = state * 1664525u + 1013904223u;
        value = static_cast<float>(state >> 8) * 0x1p-24f;
    }
    return sinograms;
}

// Returns the devices that share each run of the method: of those that the options name, and of its kind.
Resources devicesFor(const Method& method, const BenchmarkOptions& options)
{
    Resources asked, shared;
    asked.device = options.device;
    asked.others = options.others;
    shared.device = {method.backend->id, 0};
    if (method.backend->isProcessor)
        return shared;
    for (const DeviceSettings& device : devicesOf(asked))
        shared.others.push_back(deviceOf(method, device));
    shared.device = shared.others.front();
    shared.others.erase(shared.others.begin());
    return shared;
}

// Returns the grid of voxels of a run.
VolumeGrid gridFor(const Method& method, const Kernel& kernel, const Geometry& geometry,
                   const BenchmarkOptions& options)
{
    const int size = sliceSizeOf(geometry);
    VolumeGrid grid{{size, 0, 0, size, size, 1}, 0, 1, kernel.slicesPerPass};
    if (const auto* cone = std::get_if<ConeBeam>(&geometry)) {
        const int all = cone->volume.slices;
        grid.slices = std::min(all, options.slices > 0 ? options.slices : method.yardstick ? 1 : all);
        grid.z0 = (all - grid.slices) / 2;
    } else if (!method.backend->isProcessor) {
        const auto devices = devicesOf(devicesFor(method, options)).size();
        grid.slices = std::max(kernel.slicesPerPass * static_cast<int>(devices), options.slices);
    }
    return grid;
}

// A setting on the processor; every run filters and back-projects.
struct ProcessorRun {
    const Method& method;
    Kernel kernel;
    BenchmarkRow row = {};
    double seconds = 0;
    bool finished = false, reported = false;
};

// Runs the settings in turns. The first turn is a warm-up, but it counts for settings that use up their time in it.
class ProcessorRuns
{
  public:
    ProcessorRuns(const BenchmarkOptions& options, const std::stop_token& stop)
        : m_options(options), m_stop(stop), m_geometry(makeGeometry(options)), m_weights(weighRays(m_geometry).weights)
    {
    }

    void turn(ProcessorRun& run, bool warmUp, const std::function<void(double)>& progress)
    {
        if (run.finished)
            return;
        const VolumeGrid grid = gridFor(run.method, run.kernel, m_geometry, m_options);
        const RowRange rows = rowsFor(m_geometry, grid);
        const Sinograms& sinograms = sinogramsOf(rows.count);
        m_weights.firstRow = rows.first;
        Volume image(grid.slices, grid.height, grid.width);
        if (run.row.kernelRuns.empty())
            run.row.clockBeforeMhz = processorClockMhz();
        const Stopwatch watch;
        const FilteredSinograms filtered =
            filterSinograms(sinograms, {}, m_weights, run.method.filterPrecision, m_options.threads, {}, m_stop);
        const double filterSeconds = watch.seconds();
        const LaunchReport times = launch(run.method,
                                          {.sinograms = filtered,
                                           .firstRow = rows.first,
                                           .geometry = m_geometry,
                                           .grid = grid,
                                           .kernel = run.kernel,
                                           .threads = m_options.threads,
                                           .image = image,
                                           .progress = progress,
                                           .stop = m_stop},
                                          m_workspace);
        run.seconds += watch.seconds();
        run.finished = run.seconds > secondsPerRow;
        if (warmUp && !run.finished)
            return;
        run.row.filterRuns.push_back(filterSeconds);
        run.row.kernelRuns.push_back(times.kernelSeconds);
        run.row.waitedRuns.push_back(times.waitedShare.value_or(0));
        run.row.totalRuns.push_back(filterSeconds + times.totalSeconds);
    }

  private:
    const Sinograms& sinogramsOf(int rows)
    {
        Sinograms& sinograms = m_sinograms[rows];
        if (sinograms.values.empty())
            sinograms = makeSinograms(rows, m_options.projections, m_options.size);
        return sinograms;
    }

    const BenchmarkOptions& m_options;
    const std::stop_token m_stop;
    const Geometry m_geometry;
    RayWeights m_weights;
    std::map<int, Sinograms> m_sinograms;
    Workspace m_workspace;
};

// Calls `run` as often as the options say, but not again after secondsPerRow.
template <typename Run>
void repeat(const BenchmarkOptions& options, const Run& run)
{
    const Stopwatch watch;
    for (int k = 0; k < options.repeat && (k == 0 || watch.seconds() < secondsPerRow); ++k)
        run();
}

// The devices that share the slices of a run, each with a Reconstructor, whose pipeline stays allocated.
class DeviceRun
{
  public:
    explicit DeviceRun(const Request& whole)
    {
        const std::vector<DeviceSettings> devices = devicesOf(whole.resources);
        Part part;
        part.request = devices.size() > 1 ? inPairs(whole) : whole;
        part.request.resources.others.clear();
        const std::vector<RowRange> shares = divide(partsOf(part.request, {}), static_cast<int>(devices.size()));
        require(shares.back().count > 0, "there are too few slices for " + devicesToText(whole.resources));
        for (std::size_t k = 0; k < devices.size(); ++k) {
            part.request.resources.device = devices[k];
            if (devices.size() > 1)
                part.request.place.setSlices(shares[k]);
            m_parts.push_back({.request = part.request, .reconstructor = {}, .made = {}});
        }
    }

    // Returns the seconds of the run: of several devices the longest filter and kernel, and by the clock all together.
    Timings run(const std::stop_token& stop)
    {
        const Stopwatch watch;
        FirstError errors(stop);
        {
            std::vector<std::jthread> others;
            errors.guard([&] {
                others.reserve(m_parts.size()); // a failing push_back() would wait for the new thread
                for (std::size_t k = 1; k < m_parts.size(); ++k)
                    others.push_back(
                        startThread([&, k] { errors.guard([&] { reconstruct(m_parts[k], errors.token()); }); }));
                reconstruct(m_parts.front(), errors.token());
            });
        }
        const double seconds = watch.seconds();
        errors.rethrow();
        Timings all = m_parts.front().made.timings;
        for (Part& part : m_parts) {
            const Timings& own = part.made.timings;
            all.filter.seconds = std::max(all.filter.seconds, own.filter.seconds);
            all.kernelSeconds = std::max(all.kernelSeconds, own.kernelSeconds);
            all.uploadSeconds = std::max(all.uploadSeconds, own.uploadSeconds);
            all.downloadSeconds = std::max(all.downloadSeconds, own.downloadSeconds);
            if (m_parts.size() > 1)
                all.totalSeconds = seconds;
            part.made = {}; // frees the image, which isn't counted
        }
        return all;
    }

  private:
    struct Part {
        Request request;
        Reconstructor reconstructor;
        Reconstruction made;
    };

    static void reconstruct(Part& part, const std::stop_token& stop)
    {
        part.reconstructor.dropFiltered();
        part.made = part.reconstructor.run(part.request, {}, stop);
        if (const std::vector<Note>& notes = part.made.notes; part.made.method != part.request.setting.kernel.method)
            throw Error(ErrorKind::device, notes.empty() ? Text("the GPU failed") : notes.back().text());
    }

    std::vector<Part> m_parts;
};

// Measures a setting on one or more GPUs, for one pass of each or the requested slices. Kernel times come from events;
// each run uploads and filters. Warms up for a while, as clock rates rise slowly.
BenchmarkRow runOnGpu(const Method& method, const Kernel& kernel, const BenchmarkOptions& options,
                      const std::stop_token& stop)
{
    constexpr double warmUpSeconds = 0.2, leastReusedBytes = 64 << 20;
    auto scan = std::make_shared<Scan>();
    scan->name = "benchmark";
    scan->geometry = makeGeometry(options);
    const VolumeGrid grid = gridFor(method, kernel, scan->geometry, options);
    const auto* cone = std::get_if<ConeBeam>(&scan->geometry);
    scan->rows = cone ? cone->rows : grid.slices;
    scan->quantity = Quantity::attenuation;
    scan->read = [&](RowRange rows, std::stop_token) {
        RawRows raw;
        raw.rows = rows;
        raw.bins = options.size;
        raw.projections = options.projections;
        raw.data = makeSinograms(rows.count, options.projections, options.size).values;
        return raw;
    };
    Request request;
    request.scan = scan;
    request.place.setSlices({static_cast<int>(grid.z0), grid.slices});
    request.setting.kernel = kernel;
    request.resources = devicesFor(method, options);
    const std::vector<DeviceSettings> devices = devicesOf(request.resources);
    const Backend& backend = *method.backend;
    const auto clockMhz = [&] { return backend.clockMhz ? backend.clockMhz(devices.front().index) : 0; };
    DeviceRun run(request);
    const Stopwatch watch;
    do
        run.run(stop);
    while (watch.seconds() < warmUpSeconds);
    BenchmarkRow row;
    constexpr int mostTries = 3;
    const Stopwatch counted;
    for (int attempt = 0; attempt == 0 || (attempt < mostTries && counted.seconds() < secondsPerRow); ++attempt) {
        row = {};
        row.clockBeforeMhz = clockMhz();
        repeat(options, [&] {
            const Timings timings = run.run(stop);
            row.filterRuns.push_back(timings.filter.seconds);
            row.kernelRuns.push_back(timings.kernelSeconds);
            row.uploadRuns.push_back(timings.uploadSeconds);
            row.downloadRuns.push_back(timings.downloadSeconds);
            row.totalRuns.push_back(timings.totalSeconds);
        });
        row.clockAfterMhz = clockMhz();
        if (isClockSteady(row.clockBeforeMhz, row.clockAfterMhz))
            break;
    }
    if (backend.occupancyOfLastLaunch)
        row.occupancy = backend.occupancyOfLastLaunch();
    const double voxels = 1.0 * grid.slices * grid.height * grid.width;
    if (options.measuresPower && backend.state) {
        constexpr double powerSeconds = 1;
        const auto joulesOfAll = [&] {
            double joules = 0;
            for (const DeviceSettings& device : devices)
                joules += stateOf(device).joules;
            return joules;
        };
        const double before = joulesOfAll();
        const Stopwatch powerWatch;
        int runs = 0;
        for (; powerWatch.seconds() < powerSeconds; ++runs)
            run.run(stop);
        const double joules = joulesOfAll() - before;
        if (before > 0 && joules > 0) {
            row.watts = joules / powerWatch.seconds();
            row.gupsPerWatt = gigaUpdatesPerSecond(voxels, options.projections, joules / runs);
        }
    }
    if (sizeof(float) * voxels < leastReusedBytes)
        return row;
    const KeptBuffers keeping;
    run.run(stop); // the next run reuses its memory
    repeat(options, [&] { row.reusedTotalRuns.push_back(run.run(stop).totalSeconds); });
    return row;
}

// Completes a row of runs.
BenchmarkRow completed(BenchmarkRow row, const Method& method, const Kernel& kernel, const BenchmarkOptions& options)
{
    const Geometry geometry = makeGeometry(options);
    const VolumeGrid grid = gridFor(method, kernel, geometry, options);
    const Resources devices = devicesFor(method, options);
    row.method = method.id;
    row.geometry = labelOf(geometry);
    row.device = devicesToText(devices);
    row.interpolation = kernel.interpolation;
    row.oversampling = kernel.oversampling;
    row.precision = kernel.precision;
    row.slicesPerPass = kernel.slicesPerPass;
    row.slices = grid.slices;
    row.instructionSet = instructionSetFor(method, kernel);
    if (kernel.variant != row.instructionSet)
        row.variant = kernel.variant;
    row.transform = kernel.transform == FilterTransform::own ? "" : toText(kernel.transform);
    row.size = grid.size;
    row.bins = options.size;
    if (const auto* cone = std::get_if<ConeBeam>(&geometry))
        row.alpha =
            1.0 * cone->bins * cone->rows * options.projections / (1.0 * grid.size * grid.size * cone->volume.slices);
    row.projections = options.projections;
    row.threads = threadsOf(options.threads);
    setSpeeds(row, 1.0 * grid.slices * grid.size * grid.size * options.projections);
    if (!options.steps.empty()) {
        const PaperSequence& sequence = sequenceOf(options.steps);
        const auto* cone = std::get_if<ConeBeam>(&geometry);
        const auto problem =
            cone ? std::optional(ConeProblem{cone->bins, options.projections, grid.size, cone->volume.slices})
                 : std::nullopt;
        if (sequence.ofFilter)
            addFilterFigures(row);
        if (const PaperStep* step = stepOf(sequence, kernel)) {
            row.step = step->name;
            row.paperFactor = paperFactor(sequence, *step, problem).value_or(0);
            row.paperFactorOpenMp = paperFactor(sequence, *step, problem, PaperVersion::openMp).value_or(0);
        }
    }
    if (const Device* device = deviceFor(*method.backend, options.device); device && device->texelsPerSecond > 0)
        row.texturePeakShare =
            row.kernelGups * 1e9 / (device->texelsPerSecond * row.slicesPerPass * (1.0 + devices.others.size()));
    return row;
}

} // namespace

int settingsOf(const BenchmarkOptions& options)
{
    return static_cast<int>(plannedRuns(withSizes(options)).runs.size());
}

std::string instructionSetFor(const Method& method, const Kernel& kernel)
{
    const std::string chosen = instructionSetOf(kernel);
    if (!chosen.empty())
        return chosen;
    return hasVariant(method, processorTarget()) ? processorTarget() : std::string();
}

std::string measuredDevice(const std::vector<BenchmarkRow>& rows)
{
    for (const BenchmarkRow& row : rows) {
        Resources named;
        setDevices(named, row.device);
        if (isProcessor(named.device))
            continue;
        const Backend& backend = backendOf(named.device);
        if (const Device* device = deviceFor(backend, named.device))
            return fullName(*device, backend);
    }
    return processorName();
}

bool isClockSteady(double beforeMhz, double afterMhz)
{
    constexpr double steady = 0.02;
    return !(beforeMhz > 0 && afterMhz > 0) || std::abs(afterMhz - beforeMhz) <= steady * beforeMhz;
}

std::vector<BenchmarkRow> benchmarkMethods(const BenchmarkOptions& asked, const BenchmarkWatch& watch,
                                           std::stop_token stop)
{
    std::vector<BenchmarkRow> rows;
    const BenchmarkOptions options = withSizes(asked);
    const std::vector<PlannedRun> planned = plannedRuns(options).runs;
    std::mutex reporting; // a run reports from all of its threads
    double done = 0;
    const auto report = [&, total = static_cast<double>(planned.size())](double settings) {
        const std::lock_guard lock(reporting);
        done = std::max(done, settings / total);
        if (watch.onProgress)
            watch.onProgress(done,
                             rows.empty() ? "measuring" : rows.back().method + " " + interpolationNameOf(rows.back()));
    };
    const auto add = [&](const BenchmarkRow& row) {
        rows.push_back(row);
        if (watch.onRow)
            watch.onRow(row);
    };
    std::vector<ProcessorRun> onProcessor;
    for (const auto& [method, kernel] : planned) {
        if (!method->backend->isProcessor) {
            add(completed(runOnGpu(*method, kernel, options, stop), *method, kernel, options));
            report(static_cast<double>(rows.size()));
            continue;
        }
        const bool hasSets = hasVariant(*method, processorTarget());
        for (const std::string& set : hasSets ? options.instructionSets : std::vector<std::string>()) {
            Kernel forced = kernel;
            forced.variant = set;
            onProcessor.push_back({*method, forced});
        }
        if (!hasSets || options.instructionSets.empty())
            onProcessor.push_back({*method, kernel});
    }
    ProcessorRuns runs(options, stop);
    const double onGpu = static_cast<double>(rows.size()),
                 each = (static_cast<double>(planned.size()) - onGpu) / (options.repeat + 1.0) / onProcessor.size();
    int turns = 0;
    for (int turn = 0; turn <= options.repeat; ++turn)
        for (ProcessorRun& run : onProcessor) {
            if (run.reported)
                continue;
            const int left = options.repeat + 1 - turn;
            const Stopwatch turnWatch;
            const auto within = [&](double fraction) { // a run that takes long will be the only one
                report(onGpu + (turns + fraction * (turnWatch.seconds() > secondsPerRow ? left : 1)) * each);
            };
            // Reports in the first turn only, so that they don't disturb the others.
            runs.turn(run, turn == 0, turn == 0 ? within : std::function<void(double)>());
            turns += run.finished ? left : 1;
            report(onGpu + turns * each);
            if ((turn < options.repeat && !run.finished) || run.row.kernelRuns.empty())
                continue;
            run.reported = true;
            run.row.clockAfterMhz = processorClockMhz();
            add(completed(std::move(run.row), run.method, run.kernel, options));
        }
    return rows;
}

} // namespace engine
