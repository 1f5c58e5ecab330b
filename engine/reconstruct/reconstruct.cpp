// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/reconstruct/reconstruct.h"

#include "engine/backends/devices.h"
#include "engine/backends/method.h"
#include "engine/backends/parallel/coarse.h"
#include "engine/base/error.h"
#include "engine/base/less_memory.h"
#include "engine/base/machine.h"
#include "engine/base/one_ahead.h"
#include "engine/base/own_file.h"
#include "engine/base/stopwatch.h"
#include "engine/prepare/virtual_detector.h"
#include "engine/reconstruct/axis_cache.h"
#include "engine/reconstruct/filter_cache.h"
#include "engine/reconstruct/image_notes.h"
#include "engine/reconstruct/plane_request.h"
#include "engine/reconstruct/row_cache.h"
#include "engine/request/memory_limit.h"
#include "engine/resolve/resolve.h"
#include "engine/scan/ray_weights.h"
#include "engine/stages/arriving_rows.h"
#include "engine/stages/stages.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <numeric>
#include <optional>

namespace engine
{

namespace
{

void allocateImage(Reconstruction& result)
{
    Volume& image = result.image;
    image.slices = result.grid.slices;
    image.height = result.grid.height;
    image.width = result.grid.width;
    image.values.resize(image.slices * image.sliceSize());
}

} // namespace

struct Reconstructor::Stages {
    // The state of one running request.
    struct Run {
        Reconstruction& result;
        const Plan& plan;
        const FilteredKey key; // of the plan's filtered rows
        const Progress& progress;
        const std::stop_token& stop;
        int projectionStep = 1; // of planes
        bool ofPlane = false;   // also if it is carried out as a region

        const Request& request() const { return plan.request; }
        const Method& method() const { return *plan.method; }
    };

    RowCache rowCache;
    AxisCache axes; // shared with all reconstructors of beside()
    FilterCache filtered;
    Workspace workspace;

    void letGoOfOthers(const Scan* scan);
    PreparedRows& readRows(const Run& run);
    void backproject(const Run& run); // on the device of the plan's method
    // Rows that back-projection starts from: recorded ones if the device prepares them, else prepared ones.
    struct Rows {
        RecordedRows* onDevice = nullptr;
        PreparedRows* prepared = nullptr;
        bool isWide = false; // RecordedFacts::isWide of the prepared ones, which the filter may consume
    };
    // Input of a method. Not copied, since `sinograms` may refer to `seen`.
    struct Input {
        Geometry geometry;
        VolumeGrid grid;
        SinogramView sinograms = {};
        Sinograms seen = {}; // by a virtual detector
        std::optional<CoarseProblem> coarse = {};
        std::optional<OwnFilter> filter = {};
        double coarseningSeconds = 0;
    };
    RecordedRows* rowsForDevice(const Run& run);
    bool backproject(const Run& run, const Rows& rows); // false: the rows must be prepared
    void takeUnfiltered(Input& input, const Run& run, const Rows& rows, const VirtualDetector& detector,
                        const RayWeights& weights);
    void takeFiltered(Input& input, const Run& run, const Rows& rows, const VirtualDetector& detector,
                      const RayWeights& weights);
    static LaunchArguments argumentsOf(const Run& run, const Rows& rows, const Input& input);
    static void noteTimes(const Run& run, const Rows& rows, const Input& input, const LaunchReport& made);
    bool isHeldByGpu(const Run& run) const;
    Reconstruction carryOut(const Plan& plan, int projectionStep, bool ofPlane, const Progress& progress,
                            const std::stop_token& stop);
    Reconstruction runPlane(const Request& asked, const Progress& progress, const std::stop_token& stop);
    Reconstruction runParts(const PlannedPlane& plane, const Progress& progress, const std::stop_token& stop);
    Reconstruction run(const Request& asked, const Progress& progress, const std::stop_token& stop);
};

// Drops the cached results of other scans. A scan that is opened again is another object, even for the same file: old
// results would only take memory, and keep files open.
void Reconstructor::Stages::letGoOfOthers(const Scan* scan)
{
    rowCache.dropOthers(scan);
    axes.dropOthers(scan);
    filtered.dropOthers(scan);
    workspace.dropOthers(scan);
}

PreparedRows& Reconstructor::Stages::readRows(const Run& run)
{
    const RowCache::Found found = run.ofPlane ? rowCache.preparedWithGaps(run.request(), run.progress, run.stop)
                                              : rowCache.prepared(run.request(), run.progress, run.stop);
    run.result.timings.read = {found.rows.readSeconds, found.wereRead};
    run.result.timings.prepare = {found.rows.prepareSeconds, found.isReused};
    run.result.notes = found.rows.prepared.notes;
    run.result.gaps = found.rows.gaps;
    run.result.emptyProjections = found.rows.facts.emptyProjections;
    run.result.doubts = doubtsLeft(found.rows.facts.doubts, run.plan.preparation);
    return found.rows;
}

void Reconstructor::Stages::backproject(const Run& run)
{
    try {
        if (RecordedRows* recorded = rowsForDevice(run)) {
            // A preparation belongs to one upload, as it counts the mended values.
            if (!recorded->preparation || (rowCache.isReadForGpu() && !isHeldByGpu(run)))
                startPreparation(run.request(), *recorded, run.stop);
            if (backproject(run, {.onDevice = recorded}))
                return;
        }
    } catch (const Error& error) {
        rowCache.settleReading();
        if (!run.ofPlane || error.kind() != ErrorKind::badFile) // with gaps, the processor prepares the rows
            throw;
    }
    PreparedRows& prepared = readRows(run);
    backproject(run, {.prepared = &prepared, .isWide = prepared.facts.isWide});
}

// Returns the recorded rows if the plan's device can prepare them and they are not prepared yet: those handed over with
// take(), or read for planes. Otherwise null.
RecordedRows* Reconstructor::Stages::rowsForDevice(const Run& run)
{
    const Request& request = run.request();
    const PreparedKey& wanted = run.key.prepared;
    if (rowCache.findPrepared(wanted) || !run.plan.route.mayPrepareOnDevice)
        return nullptr;
    RecordedRows* recorded = rowCache.findRecorded(wanted);
    bool isReused = recorded && rowCache.isReadForGpu();
    if (!recorded && request.place.plane())
        recorded = &rowCache.readRecorded(request, run.progress, run.stop);
    else if (!recorded) {
        recorded = rowCache.findSlice(wanted, request.resources.threads);
        isReused = recorded;
    }
    if (recorded)
        run.result.timings.read = {recorded->readSeconds, isReused};
    return recorded;
}

bool Reconstructor::Stages::backproject(const Run& run, const Rows& rows)
{
    const Request& request = run.request();
    const Section& section = run.plan.section;
    const Geometry recordedGeometry = axes.axisOf(request, rowCache, run.progress, run.stop, run.result);
    throwIfStopped(run.stop);
    VirtualDetector detector(recordedGeometry);
    if (rows.onDevice && !detector.isRecorded())
        return false;
    const Geometry whole = detector.geometry();
    WeighedRays weighed = weighRays(whole);
    if (const std::optional<RowRange>& some = request.place.projections) {
        std::vector<int> projections(some->count);
        std::iota(projections.begin(), projections.end(), some->first);
        weighed.weights = weightsOf(weighed.weights, projections, binsOf(whole));
        detector = detector.of(projections);
    }
    weighed.weights.firstRow = run.plan.rows.first;
    Input input{.geometry = turnedBy(section.turnRad, detector.geometry()),
                .grid = gridInBins(request.place.plane() ? section.volume : section.grid, recordedGeometry)};
    if (run.plan.route.filtersOnDevice)
        takeUnfiltered(input, run, rows, detector, weighed.weights);
    else
        takeFiltered(input, run, rows, detector, weighed.weights);
    report(run.progress, Stage::backproject, 0);
    allocateImage(run.result);
    const LaunchArguments arguments = argumentsOf(run, rows, input);
    std::optional<OneAhead<RecordedFacts>> facts; // found while the device works
    if (rows.onDevice && !rows.onDevice->facts)
        facts.emplace(
            1,
            [&request, raw = rows.onDevice->raw, arriving = rows.onDevice->arriving](int, const std::stop_token&) {
                return factsOf(*request.scan, *raw, [&](int projections) {
                    if (arriving)
                        arriving->waitFor(projections);
                });
            },
            run.stop);
    const LaunchReport made = launch(*run.plan.method, arguments, workspace);
    if (made.unprepared) // there is a row without a valid value, which the device can't repair from other projections
        return false;
    rowCache.finishReading();
    if (facts)
        rows.onDevice->facts = facts->take();
    noteTimes(run, rows, input, made);
    const bool isWide = rows.onDevice ? rows.onDevice->facts->isWide : rows.isWide;
    for (const std::vector<Note>& notes :
         {made.notes, weighed.notes, notesOn(run.result, run.plan, run.ofPlane, isWide, whole, detector)})
        run.result.notes.insert(run.result.notes.end(), notes.begin(), notes.end());
    return true;
}

// Returns whether a GPU holds the projections of the plan's plane, filtered.
bool Reconstructor::Stages::isHeldByGpu(const Run& run) const
{
    const Plan& plan = run.plan;
    return plan.request.place.plane() &&
           workspace.holds(*plan.method, plan.deviceIndex, run.key, plan.request.setting.kernel.precision);
}

// Sets the input of a method that filters by itself.
void Reconstructor::Stages::takeUnfiltered(Input& input, const Run& run, const Rows& rows,
                                           const VirtualDetector& detector, const RayWeights& weights)
{
    const Request& request = run.request();
    const RowRange& wanted = run.plan.rows;
    input.filter.emplace(
        OwnFilter{request.setting.filter, weights, run.key, request.resources.filterOn == FilterOn::processor});
    if (rows.onDevice)
        input.sinograms = rows.onDevice->preparation->shape();
    else if (isHeldByGpu(run)) {
        input.sinograms.slices = wanted.count;
        input.sinograms.projections = rows.prepared->prepared.sinograms.projections;
        input.sinograms.bins = detector.bins(rows.prepared->prepared.sinograms.bins);
    } else if (!detector.isRecorded())
        input.sinograms = input.seen = seen(detector, *rows.prepared, wanted, request.resources.threads);
    else
        input.sinograms = {rows.prepared->prepared.sinograms, wanted.first - rows.prepared->rows.first, wanted.count};
}

// Sets the input of a method that takes filtered sinograms; they are coarsened for a coarse preview.
void Reconstructor::Stages::takeFiltered(Input& input, const Run& run, const Rows& rows,
                                         const VirtualDetector& detector, const RayWeights& weights)
{
    const FilterCache::Rows& kept =
        filtered.filter(run.request(), run.key, run.ofPlane, *rows.prepared, rowCache, detector, weights, run.progress,
                        run.stop, run.result.timings.filter);
    const FilteredSinograms& sinograms = kept.sinograms;
    const RowRange& wanted = run.plan.rows;
    throwIfStopped(run.stop);
    input.sinograms = {sinograms, wanted.first - kept.firstRow, wanted.count};
    const auto* beam = std::get_if<ParallelBeam>(&input.geometry);
    if (!beam || run.request().place.previewStep == 1 || input.grid.step < 2 ||
        run.plan.route.precision != FilterPrecision::float32)
        return;
    const Stopwatch coarsening;
    input.coarse = coarsened(sinograms, *beam, input.grid, run.request().resources.threads, run.stop);
    input.sinograms = input.coarse->sinograms;
    input.grid = input.coarse->grid;
    input.geometry = input.coarse->beam;
    input.coarseningSeconds = coarsening.seconds();
}

LaunchArguments Reconstructor::Stages::argumentsOf(const Run& run, const Rows& rows, const Input& input)
{
    const Request& request = run.request();
    const auto* ofPlane = std::get_if<PlanePart>(&request.place.part);
    std::function<void(int)> waitFor;
    if (rows.onDevice && rows.onDevice->arriving)
        waitFor = [arriving = rows.onDevice->arriving](int projections) { arriving->waitFor(projections); };
    return {.sinograms = input.sinograms,
            .firstRow = run.plan.rows.first,
            .geometry = input.geometry,
            .grid = input.grid,
            .plane = ofPlane ? &ofPlane->plane : nullptr,
            .projectionStep = run.projectionStep,
            .filteredKey = ofPlane ? std::optional(run.key) : std::nullopt,
            .kernel = run.plan.kernel,
            .threads = request.resources.threads,
            .deviceIndex = run.plan.deviceIndex,
            .filter = input.filter,
            .preparation = rows.onDevice ? rows.onDevice->preparation.get() : nullptr,
            .waitFor = waitFor,
            .image = run.result.image,
            .progress = [&run](double fraction) { report(run.progress, Stage::backproject, fraction); },
            .stop = run.stop};
}

// Stores the times and the device of the launch, and the results of a preparation on the device.
void Reconstructor::Stages::noteTimes(const Run& run, const Rows& rows, const Input& input, const LaunchReport& made)
{
    Reconstruction& result = run.result;
    Timings& timings = result.timings;
    if (rows.onDevice) {
        RecordedRows& recorded = *rows.onDevice;
        timings.prepare = {recorded.startSeconds + made.prepareSeconds, made.filterReused};
        result.notes = recorded.preparation->notes();
        result.emptyProjections = recorded.facts->emptyProjections;
        result.doubts = doubtsLeft(recorded.facts->doubts, run.plan.preparation);
        timings.read.seconds = recorded.readSeconds;
    }
    timings.kernelSeconds = made.kernelSeconds;
    timings.waitedShare = made.waitedShare;
    timings.uploadSeconds = made.uploadSeconds;
    timings.downloadSeconds = made.downloadSeconds;
    if (run.plan.route.filtersOnDevice) {
        timings.filter = {made.filterSeconds, made.filterReused};
        timings.backprojectSeconds = std::max(made.kernelSeconds, made.totalSeconds - made.filterSeconds);
        timings.totalSeconds = made.totalSeconds;
    } else {
        timings.backprojectSeconds = made.totalSeconds + input.coarseningSeconds;
        timings.totalSeconds = timings.filter.seconds + timings.backprojectSeconds;
    }
    result.method = run.method().id;
    result.device =
        !made.device.empty() ? made.device : processorName() + ", " + threadsText(run.request().resources.threads);
    result.texelsPerSecond = made.texelsPerSecond;
    if (run.plan.isTuned)
        result.notes.push_back("`" + result.method + "` ran with the variant `" + run.plan.kernel.variant +
                               "`, which was measured as the fastest on this device.");
    if (run.key.transform != FilterTransform::own && !run.plan.route.filtersOnDevice)
        result.notes.push_back("cuFFT was not used: the processor filtered the projections.");
    if (!result.axisDoubt.empty())
        result.notes.push_back(result.axisDoubt);
    if (!run.ofPlane && hasNoNumbers(result.image))
        result.notes.push_back("The image has no valid numbers: all sampled values are infinite or not a number. Are "
                               "the type and byte order of the scan's numbers right" +
                               aside(optionName("type") + ", " + optionName("big-endian")) + "?");
}

// Runs a plan that is ready to be launched.
Reconstruction Reconstructor::Stages::carryOut(const Plan& plan, int projectionStep, bool ofPlane,
                                               const Progress& progress, const std::stop_token& stop)
{
    throwIfStopped(stop);
    const Request& request = plan.request;
    Reconstruction result;
    result.request = request;
    result.grid = plan.section.grid;
    result.grid.slices = request.place.slices().count;
    result.unit = plan.section.pixel.isInMm ? "1/mm" : "1/pixel";
    const auto runWith = [&](const Plan& carriedOut) {
        const FilteredKey key = filteredKey(carriedOut.request, carriedOut.route.precision);
        backproject({result, carriedOut, key, progress, stop, projectionStep, ofPlane});
    };
    const bool onGpu = !plan.method->backend->isProcessor;
    // Runs the request on the processor instead of a GPU; false if the processor has no suitable method.
    const auto useProcessor = [&] {
        Request onProcessor = request;
        const Method* instead = processorMethodFor(onProcessor);
        if (!instead)
            return false;
        result.request.setting.kernel.slicesPerPass = onProcessor.setting.kernel.slicesPerPass;
        runWith(resolve(result.request, *instead));
        return true;
    };
    try {
        // Previews come from coarse bins on every device, so that they look the same. Not in double precision.
        const bool coarse = request.place.previewStep > 1 && plan.route.precision == FilterPrecision::float32;
        const bool done = coarse && onGpu && useProcessor();
        if (!done)
            runWith(plan);
    } catch (const Error& error) {
        // After a cancelled or impossible request the workspace is still valid, and stays.
        const bool failed = error.kind() == ErrorKind::device || error.kind() == ErrorKind::noMemory;
        if (failed)
            workspace = {};
        if (!failed || !processorMayTakeOver(*plan.method, request.resources.device) || !useProcessor())
            throw;
        result.notes.push_back(error.text() + "; the processor took over.");
    }
    for (const Text& problem : cacheProblems())
        result.notes.emplace_back(problem);
    setFigures(result);
    return result;
}

// Runs the parts of a plane one after the other; no rows are kept.
Reconstruction Reconstructor::Stages::runParts(const PlannedPlane& plane, const Progress& progress,
                                               const std::stop_token& stop)
{
    constexpr double begins[] = {0, 0.3, 0.4, 0.4, 0.5, 1}; // of the stages of a part
    const auto count = static_cast<int>(plane.parts.size());
    Reconstruction whole;
    whole.image = Volume(1, plane.height, plane.width);
    std::ranges::fill(whole.image.values, std::numeric_limits<float>::quiet_NaN());
    for (int k = 0; k < count; ++k) {
        const auto onProgress = [&](Stage stage, double fraction) {
            const auto n = static_cast<std::size_t>(stage);
            report(progress, stage, (k + std::lerp(begins[n], begins[n + 1], fraction)) / count);
        };
        rowCache.clear();
        filtered.clear();
        const PlanePiece& part = plane.parts[static_cast<std::size_t>(k)];
        try {
            addPart(carryOut(part.plan, plane.projectionStep, true, onProgress, stop), part.pixels, whole);
        } catch (const Error& error) {
            // None of the part's rows can be used: it is a gap, unless that is so for all parts.
            const bool isLast = k == count - 1 && whole.method.empty();
            if (error.kind() != ErrorKind::badFile || isLast)
                throw;
            const Note gap = Text("Part of the plane is missing: ") + error.text() + ".";
            addNote(whole.notes, gap);
            addNote(whole.gaps, gap);
        }
    }
    rowCache.clear();
    filtered.clear();
    whole.grid.width = plane.width;
    whole.grid.height = plane.height;
    whole.grid.slices = 1;
    setFigures(whole);
    whole.notes.push_back("The plane was reconstructed in " + std::to_string(count) +
                          " parts, because the rows of all don't fit into the memory limit of " +
                          memoryLimitText(whole.request.resources) + ".");
    return whole;
}

Reconstruction Reconstructor::Stages::runPlane(const Request& asked, const Progress& progress,
                                               const std::stop_token& stop)
{
    validate(asked);
    const PlannedPlane plane = plannedPlane(asked);
    Reconstruction result = plane.parts.size() > 1
                                ? runParts(plane, progress, stop)
                                : carryOut(plane.parts.front().plan, plane.projectionStep, true, progress, stop);
    const bool isCoarse = asked.place.previewStep > 1; // and may miss what the plane shows
    if (!isCoarse && std::ranges::none_of(result.image.values, [](float value) { return std::isfinite(value); }))
        throw noValuesIn(*asked.scan, result.gaps);
    result.image.slices = 1; // the values are in the same order
    result.image.height = plane.height;
    result.image.width = plane.width;
    result.request.place = asked.place;
    result.request.setting.kernel.slicesPerPass = asked.setting.kernel.slicesPerPass;
    result.grid = sectionOf(asked).grid;
    return result;
}

Reconstruction Reconstructor::Stages::run(const Request& asked, const Progress& progress, const std::stop_token& stop)
{
    const Stopwatch elapsed;
    Reconstruction result =
        asked.place.plane() ? runPlane(asked, progress, stop) : carryOut(resolve(asked), 1, false, progress, stop);
    report(progress, Stage::backproject, 1);
    result.timings.elapsedSeconds = elapsed.seconds();
    return result;
}

Reconstructor::Reconstructor() : m_stages(std::make_unique<Stages>()) {}
Reconstructor::~Reconstructor() = default;
Reconstructor::Reconstructor(Reconstructor&&) noexcept = default;
Reconstructor& Reconstructor::operator=(Reconstructor&&) noexcept = default;

Reconstructor Reconstructor::beside() const
{
    Reconstructor other;
    other.m_stages->axes = m_stages->axes;
    return other;
}

void Reconstructor::take(RecordedRows rows)
{
    m_stages->filtered.clear();
    m_stages->rowCache.take(std::move(rows));
}

void Reconstructor::take(PreparedRows rows)
{
    m_stages->filtered.clear();
    m_stages->rowCache.take(std::move(rows));
}

void Reconstructor::dropFiltered()
{
    m_stages->filtered.clear();
    m_stages->workspace.dropOthers(nullptr);
}

Reconstruction Reconstructor::run(const Request& request, const Progress& progress, std::stop_token stop)
{
    try {
        m_stages->letGoOfOthers(request.scan.get());
        return m_stages->run(request, progress, stop);
    } catch (const std::bad_alloc&) {
        const AxisCache axes = m_stages->axes;
        *m_stages = Stages();
        m_stages->axes = axes;
        const int slices = request.place.slices().count;
        throw Error(ErrorKind::noMemory, "not enough memory to reconstruct " + std::to_string(slices) +
                                             (slices == 1 ? " slice; " : " slices at once; ") + lessMemory(slices));
    }
}

} // namespace engine
