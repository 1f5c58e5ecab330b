// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/measure/planned_runs.h"

#include "engine/backends/devices.h"
#include "engine/backends/instruction_sets.h"
#include "engine/backends/support.h"
#include "engine/base/error.h"
#include "engine/measure/paper_steps.h"
#include "engine/measure/tune.h"
#include "engine/scan/cone_options.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace engine
{

namespace
{

struct Choice {
    Interpolation interpolation;
    Precision precision;
    int slicesPerPass;
};

// The four choices of the paper, varied one at a time from the most common setting; also half precision with several
// slices per pass, as both save memory traffic.
constexpr Choice choices[] = {
    {Interpolation::linear, Precision::single, 1},      {Interpolation::linear, Precision::single, 2},
    {Interpolation::linear, Precision::single, 4},      {Interpolation::linear, Precision::single, 8},
    {Interpolation::linear, Precision::half, 1},        {Interpolation::linear, Precision::half, 8},
    {Interpolation::nearest, Precision::single, 1},     {Interpolation::nearest, Precision::single, 8},
    {Interpolation::oversampled, Precision::single, 1}, {Interpolation::oversampled, Precision::single, 8},
    {Interpolation::cubic, Precision::single, 1},       {Interpolation::cubic, Precision::single, 8},
    {Interpolation::linear, Precision::half, 2},        {Interpolation::linear, Precision::half, 4},
    {Interpolation::nearest, Precision::single, 2},     {Interpolation::nearest, Precision::half, 4},
    {Interpolation::oversampled, Precision::single, 2}, {Interpolation::oversampled, Precision::single, 4},
    {Interpolation::linear, Precision::single, 32},     {Interpolation::linear, Precision::half, 32},
    {Interpolation::nearest, Precision::single, 32},    {Interpolation::oversampled, Precision::single, 32},
};

// Returns the settings of a fixed list that the options allow; if the options give the slices per pass, all settings
// with that number.
std::vector<Choice> choicesOf(const BenchmarkOptions& options)
{
    std::vector<Choice> chosen(std::begin(choices), std::end(choices));
    if (options.slicesPerPass) {
        chosen.clear();
        for (const Interpolation interpolation :
             {Interpolation::linear, Interpolation::nearest, Interpolation::oversampled, Interpolation::cubic})
            for (const Precision precision : {Precision::single, Precision::half})
                chosen.push_back({interpolation, precision, *options.slicesPerPass});
    }
    std::erase_if(chosen, [&](const Choice& setting) {
        return options.interpolation.value_or(setting.interpolation) != setting.interpolation ||
               options.precision.value_or(setting.precision) != setting.precision;
    });
    return chosen;
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

Kernel kernelOf(const Method& method, const Choice& choice, const std::string& variant, int batch)
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
        if (const Method* method = findMethod(id, geometry); !method)
            throw Error(ErrorKind::badRequest, "unknown method '" + id + "'");
        else if (!method->takes(geometry))
            throw Error(ErrorKind::badRequest, "`" + id + "` doesn't take a " + options.geometry + " beam");
}

// Returns why the method can't run the kernel; nothing if it can.
std::optional<std::string> runProblem(const Method& method, const Kernel& kernel, const DeviceSettings& device,
                                      const std::shared_ptr<const Scan>& scan)
{
    Request request;
    request.scan = scan;
    request.setting.kernel = kernel;
    request.resources.device = device;
    if (auto problem = refusalOf(method, request))
        return problem;
    if (kernel.transform != FilterTransform::own && !method.backend->transformProblem)
        return "`" + std::string(method.id) + "` doesn't filter with cuFFT, which is NVIDIA's";
    return transformProblem(method, request);
}

// Returns the steps of the sequence that this machine can run, in their order, and why not the others. Throws Error
// with the reason of the first step if there are none.
PlannedRuns runsOfSteps(const BenchmarkOptions& options)
{
    const PaperSequence& sequence = sequenceOf(options.steps);
    const std::shared_ptr<const Scan> scan = scanOf(options);
    PlannedRuns planned;
    std::optional<std::string> reason;
    bool isMissing = false; // a device of a step
    for (const PaperStep& step : sequence.steps) {
        const Method& method = methodOf(step, sequence, options.device);
        Kernel kernel = kernelOf(step, sequence, method, options.precision.value_or(Precision::single), options.size);
        kernel.batch = options.batch;
        if (!method.takes(scan->geometry))
            throw Error(ErrorKind::badRequest, "the steps `" + options.steps + "` are methods for a " +
                                                   (sequence.cone ? "cone" : "parallel") + " beam");
        auto problem = runProblem(method, kernel, options.device, scan);
        if (!problem)
            problem = lackingVariant(method, kernel.variant);
        if (!problem) {
            planned.runs.push_back({&method, kernel});
            continue;
        }
        planned.missing.push_back(step.name + ": " + *problem);
        reason = reason.value_or(*problem);
        isMissing |= mayUse(*method.backend, options.device) && deviceProblem(*method.backend, options.device);
    }
    if (planned.runs.empty())
        throw Error(isMissing ? ErrorKind::device : ErrorKind::badRequest, "nothing to benchmark: " + *reason);
    return planned;
}

// Returns all runs that the options allow. Throws Error with the reason if there are none.
std::vector<PlannedRun> runsFor(const BenchmarkOptions& options)
{
    std::vector<PlannedRun> runs;
    std::string reason = "the options exclude every setting";
    bool hasReason = false, gpuMissing = false;
    const std::shared_ptr<const Scan> scan = scanOf(options);
    const std::vector<Choice> chosen = choicesOf(options);
    for (const Method* method : methodsFor(scan->geometry)) {
        if (!options.methods.empty() && std::ranges::count(options.methods, method->id) == 0)
            continue;
        for (const Choice& choice : chosen) {
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
                const Backend& backend = *method->backend;
                const bool lacksGpu = mayUse(backend, options.device) && deviceProblem(backend, options.device);
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

} // namespace

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

std::string instructionSetOf(const Kernel& kernel)
{
    const std::vector<std::string> known = processorTargets();
    return std::ranges::find(known, kernel.variant) != known.end() ? kernel.variant : std::string();
}

BenchmarkOptions withSizes(BenchmarkOptions options)
{
    using Kind = BenchmarkOptions::Kind;
    const bool isCard = options.kind == Kind::card;
    if (isCard)
        options.device = tunedDevice(options.device);
    if (options.size == 0)
        options.size = isCard && !isProcessor(options.device) ? 2048 : 512;
    if (options.projections == 0)
        options.projections = isCard || options.kind == Kind::volume ? options.size : 512;
    if (options.slices == 0 && options.kind == Kind::volume)
        options.slices = options.size;
    // Several passes where the filter is measured, as in a volume.
    if (options.slices == 0 && !options.steps.empty() && sequenceOf(options.steps).ofFilter)
        options.slices = 4 * sequenceOf(options.steps).slicesPerPass;
    return options;
}

PlannedRuns plannedRuns(const BenchmarkOptions& options)
{
    requireUsable(options);
    if (!options.steps.empty())
        return runsOfSteps(options);
    PlannedRuns planned{runsFor(options), {}, {}};
    const auto isYardstick = [](const PlannedRun& run) { return run.method->yardstick; };
    if (!options.methods.empty() || std::ranges::all_of(planned.runs, isYardstick))
        return planned;
    for (const PlannedRun& run : planned.runs)
        if (isYardstick(run))
            planned.yardsticks.insert(run.method->id);
    std::erase_if(planned.runs, isYardstick);
    return planned;
}

} // namespace engine
