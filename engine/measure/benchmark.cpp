// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/measure/benchmark.h"

#include "engine/backproject/gpu_choice.h"
#include "engine/backproject/paper_steps.h"
#include "engine/backproject/parallel/cpu/kernels.h"
#include "engine/backproject/support.h"
#include "engine/base/error.h"
#include "engine/base/giga_updates.h"
#include "engine/base/machine.h"
#include "engine/base/stopwatch.h"
#include "engine/base/uninitialized.h"
#include "engine/cuda/devices.h"
#include "engine/cuda/gpu_state.h"
#include "engine/measure/benchmark_choices.h"
#include "engine/reconstruct/reconstruct.h"
#include "engine/scan/cone_options.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <numbers>
#include <set>
#include <thread>

namespace engine
{

namespace
{

// Time limit for the repetitions of a setting, so that slow rows don't delay the others.
constexpr double secondsPerRow = 6;

double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

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

// Returns a cone of ±5° with a magnification of 1.5, which sees the volume's whole width and height.
ConeBeam makeCone(const BenchmarkOptions& options, std::vector<double> anglesRad)
{
    const int voxels = options.voxels > 0 ? options.voxels : options.size;
    const int slices = options.volumeSlices > 0 ? options.volumeSlices : voxels;
    ConeOptions cone;
    cone.sourceAxisMm = options.size / 2.0 / std::tan(std::numbers::pi / 36);
    cone.sourceDetectorMm = 1.5 * *cone.sourceAxisMm;
    cone.pixelUMm = 1.5;
    cone.voxelMm = 1.0 * options.size / std::max(voxels, slices);
    cone.size = voxels;
    cone.slices = slices;
    return coneBeamFrom(cone, options.size, options.size, std::move(anglesRad), "benchmark");
}

Geometry makeGeometry(const BenchmarkOptions& options)
{
    const bool isCone = std::holds_alternative<ConeBeam>(geometryKind(options.geometry).example);
    std::vector<double> anglesRad;
    for (int p = 0; p < options.projections; ++p)
        anglesRad.push_back((isCone ? 2 : 1) * std::numbers::pi * p / options.projections);
    if (isCone)
        return makeCone(options, std::move(anglesRad));
    ParallelBeam beam;
    beam.bins = options.size;
    beam.anglesRad = std::move(anglesRad);
    beam.axisBins = {beam.middleBins()};
    return beam;
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
    } else if (method.device != DeviceSettings::Kind::cpu) {
        grid.slices = std::max(kernel.slicesPerPass, options.slices);
    }
    return grid;
}

// Seconds of the counted runs.
struct TimedRuns {
    std::vector<double> filter, kernel, total, reusedTotal;
    double clockBeforeMhz = 0, clockAfterMhz = 0;
    double watts = 0, runsPerJoule = 0;
    KernelOccupancy occupancy = {};
};

// Returns the instruction set that the variant selects; empty if the variant is no instruction set.
std::string instructionSetOf(const Kernel& kernel)
{
    const std::vector<std::string> known = processorTargets();
    return std::ranges::find(known, kernel.variant) != known.end() ? kernel.variant : std::string();
}

// A setting on the processor; every run filters and back-projects.
struct ProcessorRun {
    const Method& method;
    Kernel kernel;
    TimedRuns samples;
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
        if (run.samples.kernel.empty())
            run.samples.clockBeforeMhz = processorClockMhz();
        const Stopwatch watch;
        const FilteredSinograms filtered =
            filterSinograms(sinograms, {}, m_weights, run.method.filterPrecision, m_options.threads, {}, m_stop);
        const double filterSeconds = watch.seconds();
        const LaunchReport times = run.method.launch({.sinograms = filtered,
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
        run.samples.filter.push_back(filterSeconds);
        run.samples.kernel.push_back(times.kernelSeconds);
        run.samples.total.push_back(filterSeconds + times.totalSeconds);
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

// Measures a setting on a GPU, for one pass or the requested slices, with one Reconstructor, whose pipeline stays
// allocated. Kernel times come from events; the total includes the first upload and filter. Warms up for a while, as
// clock rates rise slowly.
TimedRuns runOnGpu(const Method& method, const Kernel& kernel, const BenchmarkOptions& options,
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
    request.place.slices = {static_cast<int>(grid.z0), grid.slices};
    request.setting.kernel = kernel;
    request.resources.device = {method.device, deviceIndexFor(method, options.device)};
    const bool isCuda = method.device == DeviceSettings::Kind::cuda;
    const auto clockMhz = [&] { return isCuda ? gpuClockMhz(request.resources.device.index) : 0; };
    Reconstructor reconstructor;
    const Stopwatch watch;
    do
        reconstructor.run(request, {}, stop);
    while (watch.seconds() < warmUpSeconds);
    const auto timed = [&] {
        const Reconstruction made = reconstructor.run(request, {}, stop);
        if (made.method != kernel.method) // the processor took over
            throw Error(ErrorKind::device, made.notes.empty() ? Text("the GPU failed") : made.notes.back().text());
        return made.timings;
    };
    TimedRuns samples;
    constexpr int mostTries = 3;
    const Stopwatch counted;
    for (int attempt = 0; attempt == 0 || (attempt < mostTries && counted.seconds() < secondsPerRow); ++attempt) {
        samples = {};
        samples.clockBeforeMhz = clockMhz();
        repeat(options, [&] {
            const Timings timings = timed();
            samples.filter.push_back(timings.filter.seconds);
            samples.kernel.push_back(timings.kernelSeconds);
            samples.total.push_back(timings.totalSeconds);
        });
        samples.clockAfterMhz = clockMhz();
        if (isClockSteady(samples.clockBeforeMhz, samples.clockAfterMhz))
            break;
    }
    if (isCuda)
        samples.occupancy = cuda::occupancyOfLastLaunch();
    if (options.measuresPower && isCuda) {
        constexpr double powerSeconds = 1;
        const double before = gpuState(request.resources.device.index).joules;
        const Stopwatch powerWatch;
        int runs = 0;
        for (; powerWatch.seconds() < powerSeconds; ++runs)
            timed();
        const double joules = gpuState(request.resources.device.index).joules - before;
        if (before > 0 && joules > 0) {
            samples.watts = joules / powerWatch.seconds();
            samples.runsPerJoule = runs / joules;
        }
    }
    const double imageBytes = sizeof(float) * 1.0 * grid.slices * grid.height * grid.width;
    if (imageBytes < leastReusedBytes)
        return samples;
    const KeptBuffers keeping;
    timed(); // the next run reuses its memory
    repeat(options, [&] { samples.reusedTotal.push_back(timed().totalSeconds); });
    return samples;
}

BenchmarkRow benchmarkRow(const Method& method, const Kernel& kernel, const BenchmarkOptions& options,
                          const TimedRuns& samples)
{
    const bool gpu = method.device != DeviceSettings::Kind::cpu;
    const Geometry geometry = makeGeometry(options);
    const VolumeGrid grid = gridFor(method, kernel, geometry, options);
    BenchmarkRow row;
    row.method = method.id;
    row.geometry = labelOf(geometry);
    row.device = toText(DeviceSettings{method.device, gpu ? deviceIndexFor(method, options.device) : 0});
    row.interpolation = kernel.interpolation;
    row.oversampling = kernel.oversampling;
    row.precision = kernel.precision;
    row.slicesPerPass = kernel.slicesPerPass;
    row.slices = grid.slices;
    row.instructionSet = instructionSetFor(method, kernel);
    if (kernel.variant != row.instructionSet)
        row.variant = kernel.variant;
    row.size = grid.size;
    row.bins = options.size;
    if (const auto* cone = std::get_if<ConeBeam>(&geometry))
        row.alpha =
            1.0 * cone->bins * cone->rows * options.projections / (1.0 * grid.size * grid.size * cone->volume.slices);
    row.projections = options.projections;
    row.threads = options.threads > 0 ? options.threads : static_cast<int>(std::thread::hardware_concurrency());
    const double voxels = static_cast<double>(grid.slices) * grid.size * grid.size;
    if (!samples.filter.empty())
        row.filterSeconds = median(samples.filter);
    row.kernelSeconds = median(samples.kernel);
    row.totalSeconds = median(samples.total);
    row.fastestKernelSeconds = *std::min_element(samples.kernel.begin(), samples.kernel.end());
    row.slowestKernelSeconds = *std::max_element(samples.kernel.begin(), samples.kernel.end());
    row.kernelGups = gigaUpdatesPerSecond(voxels, options.projections, row.kernelSeconds);
    row.totalGups = gigaUpdatesPerSecond(voxels, options.projections, row.totalSeconds);
    if (!samples.reusedTotal.empty()) {
        row.reusedTotalSeconds = median(samples.reusedTotal);
        row.reusedTotalGups = gigaUpdatesPerSecond(voxels, options.projections, row.reusedTotalSeconds);
    }
    if (!options.steps.empty()) {
        const PaperSequence& sequence = sequenceOf(options.steps);
        const auto* cone = std::get_if<ConeBeam>(&geometry);
        const auto problem =
            cone ? std::optional(ConeProblem{cone->bins, options.projections, grid.size, cone->volume.slices})
                 : std::nullopt;
        if (const PaperStep* step = stepOf(sequence, kernel)) {
            row.step = step->name;
            row.paperFactor = paperFactor(sequence, *step, problem).value_or(0);
        }
    }
    row.clockBeforeMhz = samples.clockBeforeMhz;
    row.clockAfterMhz = samples.clockAfterMhz;
    row.watts = samples.watts;
    row.gupsPerWatt = gigaUpdatesPerSecond(voxels, options.projections, 1) * samples.runsPerJoule;
    row.occupancy = samples.occupancy;
    row.kernelRuns = samples.kernel;
    row.totalRuns = samples.total;
    row.reusedTotalRuns = samples.reusedTotal;
    if (method.device == DeviceSettings::Kind::cuda)
        if (const CudaDevice* device = gpuFor(options.device, thisMachine()))
            row.texturePeakShare = row.kernelGups * 1e9 / (device->texelsPerSecond() * row.slicesPerPass);
    return row;
}

Kernel kernelOf(const Method& method, const BenchmarkChoice& choice, const std::string& variant, int batch)
{
    Kernel kernel;
    kernel.method = method.id;
    kernel.interpolation = choice.interpolation;
    kernel.precision = choice.precision;
    kernel.slicesPerPass = choice.slicesPerPass;
    if (hasVariant(method, variant))
        kernel.variant = variant;
    kernel.batch = batch;
    return kernel;
}

// Returns the method's default variant or that of the options; with everyVariant, also the other variants that are no
// instruction set; with everyTuning, those that `tune` may choose.
std::vector<std::string> variantsFor(const Method& method, const BenchmarkOptions& options)
{
    std::vector<std::string> chosen{options.variant};
    for (const Variant& variant : variantsOf(method)) {
        const bool isWanted = options.everyVariant ? instructionSetOf({.variant = variant.id}).empty()
                                                   : options.everyTuning && variant.isTuning;
        if (isWanted && variant.id != options.variant)
            chosen.push_back(variant.id);
    }
    return chosen;
}

// Returns a scan of the geometry, to test which methods take it.
std::shared_ptr<const Scan> scanOf(const BenchmarkOptions& options)
{
    auto scan = std::make_shared<Scan>();
    scan->geometry = makeGeometry(options);
    scan->rows = options.size;
    return scan;
}

void requireUsable(const BenchmarkOptions& options)
{
    if (options.size < 1 || options.projections < 1 || options.repeat < 1 || options.threads < 0)
        throw Error(ErrorKind::badRequest, "size, projections and repetitions of a benchmark must be 1 or more");
    const Geometry& geometry = geometryKind(options.geometry).example;
    for (const std::string& id : options.methods)
        if (!findMethod(id))
            throw Error(ErrorKind::badRequest, "unknown method '" + id + "'");
        else if (!findMethod(id, geometry)->takes(geometry))
            throw Error(ErrorKind::badRequest, "`" + id + "` doesn't take a " + options.geometry + " beam");
}

// A method with a kernel setting that it supports.
struct PlannedRun {
    const Method* method;
    Kernel kernel;
};

// Returns why the method can't run the kernel; nothing if it can.
std::optional<std::string> runProblem(const Method& method, const Kernel& kernel, const DeviceSettings& device,
                                      const std::shared_ptr<const Scan>& scan)
{
    Request request;
    request.scan = scan;
    request.setting.kernel = kernel;
    request.resources.device = device;
    return refusalOf(method, request);
}

// Returns the steps of the sequence that this machine can run, in their order. Throws Error with the reason of the
// first step if there are none.
std::vector<PlannedRun> runsOfSteps(const BenchmarkOptions& options)
{
    const PaperSequence& sequence = sequenceOf(options.steps);
    const std::shared_ptr<const Scan> scan = scanOf(options);
    const Geometry& geometry = scan->geometry;
    std::vector<PlannedRun> runs;
    std::optional<std::string> reason;
    for (const PaperStep& step : sequence.steps) {
        const Method* method = findMethod(step.method, geometry);
        Kernel kernel = kernelOf(step, sequence, options.precision.value_or(Precision::single), options.size);
        kernel.batch = options.batch;
        if (!method->takes(geometry))
            throw Error(ErrorKind::badRequest, "the steps `" + options.steps + "` are methods for a " +
                                                   (sequence.cone ? "cone" : "parallel") + " beam");
        if (const auto problem = runProblem(*method, kernel, options.device, scan))
            reason = reason.value_or(*problem);
        else
            runs.push_back({method, kernel});
    }
    if (runs.empty())
        throw Error(deviceProblem(DeviceSettings::Kind::cuda, options.device) ? ErrorKind::device
                                                                              : ErrorKind::badRequest,
                    "nothing to benchmark: " + *reason);
    return runs;
}

// Returns all runs that the options allow. Throws Error with the reason if there are none.
std::vector<PlannedRun> runsFor(const BenchmarkOptions& options)
{
    std::vector<PlannedRun> runs;
    std::string reason = "the options exclude every setting";
    bool hasReason = false, gpuMissing = false;
    const std::shared_ptr<const Scan> scan = scanOf(options);
    const std::vector<BenchmarkChoice> chosen = benchmarkChoices(options);
    for (const Method* method : methodsFor(scan->geometry)) {
        if (!options.methods.empty() && std::ranges::count(options.methods, method->id) == 0)
            continue;
        for (const BenchmarkChoice& choice : chosen) {
            // The yardstick isn't optimised: one setting is enough to show how much slower it is.
            if (method->yardstick && &choice != chosen.data())
                continue;
            for (const std::string& variant : variantsFor(*method, options)) {
                const Kernel kernel = kernelOf(*method, choice, variant, options.batch);
                const auto problem = runProblem(*method, kernel, options.device, scan);
                if (!problem) {
                    runs.push_back({method, kernel});
                    continue;
                }
                const DeviceSettings::Kind asked = options.device.kind;
                const bool mayUse = asked == method->device || (asked == DeviceSettings::Kind::automatic &&
                                                                method->device == DeviceSettings::Kind::cuda);
                const bool lacksGpu = mayUse && deviceProblem(method->device, options.device);
                if (!lacksGpu || !hasReason) { // problems of the request are more informative than a missing GPU
                    reason = *problem;
                    hasReason = true;
                    gpuMissing = lacksGpu;
                }
            }
        }
    }
    if (runs.empty())
        throw Error(gpuMissing ? ErrorKind::device : ErrorKind::badRequest, "nothing to benchmark: " + reason);
    return runs;
}

// The runs of a benchmark, and the methods that it leaves out.
struct PlannedRuns {
    std::vector<PlannedRun> runs;
    std::set<std::string> leftOut;
};

PlannedRuns plannedRuns(const BenchmarkOptions& options)
{
    requireUsable(options);
    if (!options.steps.empty())
        return {runsOfSteps(options), {}};
    PlannedRuns planned{runsFor(options), {}};
    const auto isYardstick = [](const PlannedRun& run) { return run.method->yardstick; };
    if (!options.methods.empty() || std::ranges::all_of(planned.runs, isYardstick))
        return planned;
    for (const PlannedRun& run : planned.runs)
        if (isYardstick(run))
            planned.leftOut.insert(run.method->id);
    std::erase_if(planned.runs, isYardstick);
    return planned;
}

} // namespace

BenchmarkPlan planBenchmark(const BenchmarkOptions& options)
{
    const PlannedRuns planned = plannedRuns(options);
    return {static_cast<int>(planned.runs.size()), {planned.leftOut.begin(), planned.leftOut.end()}};
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
        const DeviceSettings device = deviceFromText(row.device);
        const CudaDevice* gpu = device.kind == DeviceSettings::Kind::cuda ? gpuFor(device, thisMachine()) : nullptr;
        if (gpu)
            return gpu->name;
        const OpenClDevice* other =
            device.kind == DeviceSettings::Kind::opencl ? openClFor(device, thisMachine()) : nullptr;
        if (other)
            return other->name + " (OpenCL)";
    }
    return processorName();
}

bool isClockSteady(double beforeMhz, double afterMhz)
{
    constexpr double steady = 0.02;
    return !(beforeMhz > 0 && afterMhz > 0) || std::abs(afterMhz - beforeMhz) <= steady * beforeMhz;
}

std::vector<BenchmarkRow> benchmarkMethods(const BenchmarkOptions& options,
                                           const std::function<void(const BenchmarkRow&)>& onRow, std::stop_token stop,
                                           const std::function<void(double)>& onFraction)
{
    std::vector<BenchmarkRow> rows;
    const std::vector<PlannedRun> planned = plannedRuns(options).runs;
    std::mutex reporting; // a run reports from all of its threads
    double done = 0;
    const auto report = [&, total = static_cast<double>(planned.size())](double settings) {
        const std::lock_guard lock(reporting);
        done = std::max(done, settings / total);
        if (onFraction)
            onFraction(done);
    };
    const auto add = [&](const BenchmarkRow& row) {
        rows.push_back(row);
        if (onRow)
            onRow(row);
    };
    std::vector<ProcessorRun> onProcessor;
    for (const auto& [method, kernel] : planned) {
        if (method->device != DeviceSettings::Kind::cpu) {
            add(benchmarkRow(*method, kernel, options, runOnGpu(*method, kernel, options, stop)));
            report(static_cast<double>(rows.size()));
            continue;
        }
        const bool hasSets = hasVariant(*method, processorTarget());
        for (const std::string& set : hasSets ? options.instructionSets : std::vector<std::string>()) {
            Kernel forced = kernel;
            forced.variant = set;
            onProcessor.push_back({*method, forced, {}});
        }
        if (!hasSets || options.instructionSets.empty())
            onProcessor.push_back({*method, kernel, {}});
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
            const Stopwatch watch;
            const auto within = [&](double fraction) { // a run that takes long will be the only one
                report(onGpu + (turns + fraction * (watch.seconds() > secondsPerRow ? left : 1)) * each);
            };
            // Reports in the first turn only, so that they don't disturb the others.
            runs.turn(run, turn == 0, turn == 0 ? within : std::function<void(double)>());
            turns += run.finished ? left : 1;
            report(onGpu + turns * each);
            if ((turn < options.repeat && !run.finished) || run.samples.kernel.empty())
                continue;
            run.reported = true;
            run.samples.clockAfterMhz = processorClockMhz();
            add(benchmarkRow(run.method, run.kernel, options, run.samples));
        }
    return rows;
}

} // namespace engine
