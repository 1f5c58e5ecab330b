#include "engine/reconstruct.h"

#include "engine/backproject/coarse.h"
#include "engine/backproject/cuda/pipeline.h"
#include "engine/backproject/gpu_choice.h"
#include "engine/backproject/method.h"
#include "engine/cuda/devices.h"
#include "engine/error.h"
#include "engine/measure/gups.h"
#include "engine/measure/processor.h"
#include "engine/options.h"
#include "engine/prepare/axis.h"
#include "engine/prepare/prepare.h"
#include "engine/stoppable_resize.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iomanip>
#include <new>
#include <numbers>
#include <numeric>
#include <optional>
#include <sstream>

namespace engine
{

namespace
{

class Stopwatch
{
  public:
    double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - m_start).count(); }

  private:
    std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
};

void throwIfStopped(const std::stop_token& stop)
{
    if (stop.stop_requested())
        throw Error(ErrorKind::cancelled, "cancelled");
}

void report(const Progress& progress, Stage stage, double fraction)
{
    if (progress)
        progress(stage, fraction);
}

bool covers(const RowRange& outer, const RowRange& inner)
{
    return outer.first <= inner.first && inner.first + inner.count <= outer.first + outer.count;
}

// Some slices of a stack, copied.
Sinograms slicesOf(const Sinograms& all, int first, int count)
{
    const std::size_t size = static_cast<std::size_t>(all.projections) * all.bins;
    const auto begin = all.values.begin() + static_cast<std::ptrdiff_t>(first * size);
    return {count, all.projections, all.bins,
            std::vector<float>(begin, begin + static_cast<std::ptrdiff_t>(count * size))};
}

void require(bool condition, const std::string& message)
{
    if (!condition)
        throw Error(ErrorKind::badRequest, message);
}

void validateAngles(const Scan& scan)
{
    const ParallelBeam& beam = scan.beam();
    require(beam.bins >= 1 && beam.projections() >= 1, scan.name + " has no projections");
    for (std::size_t i = 0; i < beam.anglesRad.size(); ++i)
        require(std::isfinite(beam.anglesRad[i]),
                scan.name + ": the angle of projection " + std::to_string(i) + " is not a number");
}

void validateRegion(const Region& region, int size)
{
    const bool inside = region.column >= 0 && region.row >= 0 && region.width >= 1 && region.height >= 1 &&
                        region.column <= size - region.width && region.row <= size - region.height;
    require(inside, "region " + std::to_string(region.width) + "×" + std::to_string(region.height) + " at (" +
                        std::to_string(region.column) + ", " + std::to_string(region.row) +
                        ") does not lie inside the slice of " + std::to_string(size) + "×" + std::to_string(size));
}

} // namespace

void validate(const Request& request)
{
    require(request.scan != nullptr, "no scan is open");
    const Scan& scan = *request.scan;
    validateAngles(scan);
    const int bins = scan.beam().bins;
    const RowRange& slices = request.slices;
    require(slices.count >= 1 && slices.first >= 0 && slices.first <= scan.rows - slices.count,
            "slices " + std::to_string(slices.first) + " to " + std::to_string(slices.first + slices.count - 1) +
                " were asked for; " + scan.name + " has slices 0 to " + std::to_string(scan.rows - 1));
    if (request.axis.mode == AxisSettings::Mode::given)
        require(request.axis.bins >= -0.5 && request.axis.bins <= bins - 0.5,
                "the axis at bin " + toText(request.axis) + " lies outside the detector (bins 0 to " +
                    std::to_string(bins - 1) + ")");
    validateOptions(request);
    require(request.previewStep >= 1, "the preview step must be at least 1");
    if (request.region)
        validateRegion(*request.region, bins);
    methodFor(request);
}

SliceGrid gridOf(const Request& request)
{
    const int size = request.scan->beam().bins;
    const Region region = request.region.value_or(Region{0, 0, size, size});
    const int step = request.previewStep;
    SliceGrid grid;
    grid.size = size;
    // A coarse pixel lies in the middle of the step × step pixels that it stands for.
    grid.x0 = region.column + (step - 1) / 2.0;
    grid.y0 = region.row + (step - 1) / 2.0;
    grid.width = (region.width + step - 1) / step;
    grid.height = (region.height + step - 1) / step;
    grid.step = step;
    return grid;
}

namespace
{

// π/(2N) for even angles, in 1/mm where the pixel size is known.
std::vector<double> projectionWeights(const ParallelBeam& beam)
{
    std::vector<double> weights = angularWeights(beam.anglesRad);
    if (beam.pixelSizeMm)
        for (double& weight : weights)
            weight /= *beam.pixelSizeMm;
    return weights;
}

std::string degrees(double angleRad)
{
    std::ostringstream text;
    // 120°, not 119.99999999999999°; and 0.2238° for 0.22380…
    text << std::setprecision(4) << std::round(angleRad * 180 / std::numbers::pi * 1e6) / 1e6 << "°";
    return text.str();
}

// How the projections were weighted, where it isn't the same for all.
void addNotes(const AngularSampling& sampling, std::vector<std::string>& notes)
{
    for (const MissingWedge& wedge : sampling.missingWedges)
        notes.push_back("There are no projections from " + degrees(wedge.fromRad) + " to " +
                        degrees(wedge.fromRad + wedge.widthRad) + ": this missing wedge of " + degrees(wedge.widthRad) +
                        " was left out of the angular weights.");
    if (sampling.uneven)
        notes.push_back("The angles are unevenly spaced, " + degrees(sampling.leastStepRad) + " to " +
                        degrees(sampling.mostStepRad) +
                        " apart: each projection was weighted by half the distance to its neighbours.");
}

} // namespace

std::string toText(Stage stage)
{
    switch (stage) {
    case Stage::read:
        return "read";
    case Stage::prepare:
        return "prepare";
    case Stage::axis:
        return "axis";
    case Stage::filter:
        return "filter";
    case Stage::backproject:
        break;
    }
    return "back-project";
}

PreparedRows prepare(const Request& request, const RawRows& raw, double readSeconds, const std::stop_token& stop)
{
    const Stopwatch preparing;
    Prepared prepared = prepareRows(raw, request.scan->quantity, request.threads, stop);
    return {request.scan, raw.rows, std::move(prepared), readSeconds, preparing.seconds()};
}

struct Reconstructor::Stages {
    // The axis belongs to the scan, so that moving the slice doesn't look for it again.
    struct FoundAxis {
        std::shared_ptr<const Scan> scan;
        double bins = 0;
        double seconds = 0;
    };
    struct Filtered {
        std::shared_ptr<const Scan> scan;
        RowRange rows;
        FilterSettings filter;
        FilteredSinograms sinograms;
        double seconds = 0;
    };

    PreparedRows prepared; // as read last; requests for some of them are served from here
    bool preparedServeOnce = false;
    FoundAxis axis;
    Filtered filtered32, filtered64;
    std::unique_ptr<cuda::Pipeline> gpu; // keeps its own filtered sinograms

    const PreparedRows& readRows(Reconstruction& result, const Progress& progress, const std::stop_token& stop);
    void locateAxis(const Request& request, Reconstruction& result, ParallelBeam& beam, const Progress& progress,
                    const std::stop_token& stop);
    const Filtered& filter(const Request& request, FilterPrecision precision, Reconstruction& result,
                           const Progress& progress, const std::stop_token& stop);
    void onProcessor(const Method& method, Reconstruction& result, const Progress& progress,
                     const std::stop_token& stop);
    void onGpu(const Method& method, Reconstruction& result, const Progress& progress, const std::stop_token& stop);
    Reconstruction run(const Request& request, const Progress& progress, const std::stop_token& stop);
};

const PreparedRows& Reconstructor::Stages::readRows(Reconstruction& result, const Progress& progress,
                                                    const std::stop_token& stop)
{
    const Request& request = result.request;
    const bool reused = prepared.scan == request.scan && covers(prepared.rows, request.slices);
    if (!reused) {
        prepared = {};
        preparedServeOnce = false;
        const Stopwatch reading;
        report(progress, Stage::read, 0);
        const RawRows raw = request.scan->read(request.slices, stop);
        const double readSeconds = reading.seconds();
        throwIfStopped(stop);
        report(progress, Stage::prepare, 0);
        prepared = prepare(request, raw, readSeconds, stop);
        report(progress, Stage::prepare, 1);
    }
    result.timings.read = {prepared.readSeconds, reused};
    result.timings.prepare = {prepared.prepareSeconds, reused};
    result.notes = prepared.prepared.notes;
    return prepared;
}

// The axis is found in the scan's middle row, whichever slice is asked for, so that every slice of
// a scan has the same one.
void Reconstructor::Stages::locateAxis(const Request& request, Reconstruction& result, ParallelBeam& beam,
                                       const Progress& progress, const std::stop_token& stop)
{
    const auto use = [&](double bins, const char* source) {
        beam.axisBins = {bins};
        result.axisBins = bins;
        result.axisSource = source;
    };
    if (request.axis.mode == AxisSettings::Mode::given)
        return use(request.axis.bins, "given");
    if (request.axis.mode == AxisSettings::Mode::middle)
        return use(beam.middleBins(), "middle");
    if (!beam.axisBins.empty()) {
        require(beam.axisBins.size() == 1 || beam.axisBins.size() == beam.anglesRad.size(),
                request.scan->name + ": " + std::to_string(beam.axisBins.size()) + " axis positions for " +
                    std::to_string(beam.anglesRad.size()) + " projections");
        result.axisBins = std::accumulate(beam.axisBins.begin(), beam.axisBins.end(), 0.0) / beam.axisBins.size();
        result.axisSource = "scan";
        return;
    }
    const bool known = axis.scan == request.scan;
    if (!known) {
        const Stopwatch finding;
        report(progress, Stage::axis, 0);
        const RowRange middle{request.scan->rows / 2, 1};
        if (prepared.scan == request.scan && covers(prepared.rows, middle)) {
            const Sinograms row = slicesOf(prepared.prepared.sinograms, middle.first - prepared.rows.first, 1);
            axis.bins = findAxis(row, beam.anglesRad, request.threads, stop);
        } else {
            const RawRows raw = request.scan->read(middle, stop);
            const Prepared row = prepareRows(raw, request.scan->quantity, request.threads, stop);
            axis.bins = findAxis(row.sinograms, beam.anglesRad, request.threads, stop);
        }
        axis.scan = request.scan;
        axis.seconds = finding.seconds();
        report(progress, Stage::axis, 1);
    }
    result.timings.axis = {axis.seconds, known};
    use(axis.bins, "automatic");
}

const Reconstructor::Stages::Filtered& Reconstructor::Stages::filter(const Request& request, FilterPrecision precision,
                                                                     Reconstruction& result, const Progress& progress,
                                                                     const std::stop_token& stop)
{
    Filtered& kept = precision == FilterPrecision::float64 ? filtered64 : filtered32;
    const bool reused = kept.scan == request.scan && kept.rows == request.slices && kept.filter == request.filter;
    if (!reused) {
        kept = {};
        const Stopwatch filtering;
        report(progress, Stage::filter, 0);
        const std::vector<double> weights = projectionWeights(request.scan->beam());
        const auto onProgress = [&](double fraction) { report(progress, Stage::filter, fraction); };
        const auto filterRows = [&](const Sinograms& sinograms) {
            return filterSinograms(sinograms, request.filter, weights, precision, request.threads, onProgress, stop);
        };
        Sinograms& all = prepared.prepared.sinograms;
        const bool whole = prepared.rows == request.slices;
        FilteredSinograms sinograms;
        if (whole && preparedServeOnce && precision == FilterPrecision::float32) {
            Sinograms rows = std::move(all);
            prepared = {};
            sinograms = filterInPlace(std::move(rows), request.filter, weights, request.threads, onProgress, stop);
        } else {
            sinograms = filterRows(
                whole ? all : slicesOf(all, request.slices.first - prepared.rows.first, request.slices.count));
        }
        kept = {request.scan, request.slices, request.filter, std::move(sinograms), filtering.seconds()};
    }
    result.timings.filter = {kept.seconds, reused};
    return kept;
}

namespace
{

void allocateImage(Reconstruction& result, const std::stop_token& stop)
{
    Volume& image = result.image;
    image.slices = result.request.slices.count;
    image.height = result.grid.height;
    image.width = result.grid.width;
    resizeStoppable(image.values, image.slices * image.sliceSize(), stop);
    throwIfStopped(stop);
}

void setFigures(Reconstruction& result)
{
    const double voxels = static_cast<double>(result.image.values.size());
    const double projections = result.request.scan->beam().projections();
    result.kernelGups = gigaUpdatesPerSecond(voxels, projections, result.timings.kernelSeconds);
    result.totalGups = gigaUpdatesPerSecond(voxels, projections, result.timings.totalSeconds);
    if (result.texelsPerSecond > 0)
        result.texturePeakShare = result.kernelGups * 1e9 / (result.texelsPerSecond * result.request.slicesPerPass);
}

} // namespace

void Reconstructor::Stages::onProcessor(const Method& method, Reconstruction& result, const Progress& progress,
                                        const std::stop_token& stop)
{
    const Request& request = result.request;
    result.device = processorName() + ", " + threadsText(request.threads);
    readRows(result, progress, stop);
    ParallelBeam beam = request.scan->beam();
    locateAxis(request, result, beam, progress, stop);
    const Filtered& filteredRows = filter(request, method.filterPrecision, result, progress, stop);
    throwIfStopped(stop);
    report(progress, Stage::backproject, 0);
    allocateImage(result, stop);
    std::optional<CoarseProblem> coarse;
    const Stopwatch coarsening;
    if (request.previewStep > 1 && method.filterPrecision == FilterPrecision::float32)
        coarse = coarsened(filteredRows.sinograms, beam, result.grid, request.threads, stop);
    const double coarseningSeconds = coarse ? coarsening.seconds() : 0;
    const LaunchTimes times = method.launch({
        .sinograms = coarse ? coarse->sinograms : filteredRows.sinograms,
        .beam = coarse ? coarse->beam : beam,
        .grid = coarse ? coarse->grid : result.grid,
        .interpolation = request.interpolation,
        .oversampling = request.oversampling,
        .precision = request.precision,
        .slicesPerPass = request.slicesPerPass,
        .threads = request.threads,
        .image = result.image,
        .progress = [&](double fraction) { report(progress, Stage::backproject, fraction); },
        .stop = stop,
    });
    throwIfStopped(stop);
    result.timings.kernelSeconds = times.kernelSeconds;
    result.timings.backprojectSeconds = times.totalSeconds + coarseningSeconds;
    result.timings.totalSeconds = result.timings.filter.seconds + result.timings.backprojectSeconds;
}

void Reconstructor::Stages::onGpu(const Method& method, Reconstruction& result, const Progress& progress,
                                  const std::stop_token& stop)
{
    const Request& request = result.request;
    const PreparedRows& rows = readRows(result, progress, stop);
    ParallelBeam beam = request.scan->beam();
    locateAxis(request, result, beam, progress, stop);
    throwIfStopped(stop);
    const CudaDevice* device = gpuFor(request.device, cudaDevices());
    if (!device)
        throw Error(ErrorKind::device, "no NVIDIA GPU can be used");
    if (!gpu || gpu->deviceIndex() != device->index) {
        gpu.reset();
        gpu = std::make_unique<cuda::Pipeline>(device->index);
    }
    result.device = gpu->deviceName();
    result.texelsPerSecond = device->texelsPerSecond();
    report(progress, Stage::backproject, 0);
    allocateImage(result, stop);
    const std::vector<double> weights = projectionWeights(request.scan->beam());
    const cuda::PipelineTimes times = gpu->run({
        .method = method,
        .request = request,
        .sinograms = rows.prepared.sinograms,
        .first = request.slices.first - rows.rows.first,
        .weights = weights,
        .beam = beam,
        .grid = result.grid,
        .image = result.image,
        .progress = [&](double fraction) { report(progress, Stage::backproject, fraction); },
        .stop = stop,
    });
    result.timings.filter = {times.filterSeconds, times.filterReused};
    result.timings.kernelSeconds = times.kernelSeconds;
    result.timings.backprojectSeconds = std::max(times.kernelSeconds, times.totalSeconds - times.filterSeconds);
    result.timings.totalSeconds = times.totalSeconds;
    if (times.mendedSlices > 0)
        result.notes.push_back(std::to_string(times.mendedSlices) + " slices were back-projected by `alu`: some of " +
                               "them hold values that are not finite, which `tensor` would spread.");
}

Reconstruction Reconstructor::Stages::run(const Request& request, const Progress& progress, const std::stop_token& stop)
{
    const Stopwatch elapsed;
    validate(request);
    throwIfStopped(stop);
    const Method* method = &methodFor(request);

    Reconstruction result;
    result.request = request;
    result.grid = gridOf(request);
    result.unit = request.scan->beam().pixelSizeMm ? "1/mm" : "1/pixel";
    if (method->device == DeviceSettings::Kind::cuda) {
        try {
            onGpu(*method, result, progress, stop);
        } catch (const Error& error) {
            // The GPU's own failure: the processor takes over, unless that very GPU was asked for. After a
            // cancelled or impossible request the pipeline is as good as before, and stays.
            const bool failed = error.kind() == ErrorKind::device || error.kind() == ErrorKind::noMemory;
            if (failed)
                gpu.reset();
            Request onCpu = request;
            const Method* instead = processorMethodFor(onCpu);
            if (!failed || request.device.kind != DeviceSettings::Kind::automatic || !instead)
                throw;
            method = instead;
            result.texelsPerSecond = 0;
            result.request.slicesPerPass = onCpu.slicesPerPass;
            onProcessor(*instead, result, progress, stop);
            result.notes.push_back(std::string(error.what()) + "; the processor took over.");
        }
    } else {
        onProcessor(*method, result, progress, stop);
    }
    addNotes(angularSampling(request.scan->beam().anglesRad), result.notes);
    result.method = method->id;
    setFigures(result);
    report(progress, Stage::backproject, 1);
    result.timings.elapsedSeconds = elapsed.seconds();
    return result;
}

Reconstructor::Reconstructor() : m_stages(std::make_unique<Stages>()) {}
Reconstructor::~Reconstructor() = default;
Reconstructor::Reconstructor(Reconstructor&&) noexcept = default;
Reconstructor& Reconstructor::operator=(Reconstructor&&) noexcept = default;

void Reconstructor::take(PreparedRows rows)
{
    m_stages->filtered32 = {};
    m_stages->filtered64 = {};
    m_stages->prepared = std::move(rows);
    m_stages->preparedServeOnce = true;
}

Reconstruction Reconstructor::run(const Request& request, const Progress& progress, std::stop_token stop)
{
    try {
        return m_stages->run(request, progress, stop);
    } catch (const std::bad_alloc&) {
        *m_stages = {};
        throw Error(ErrorKind::noMemory, "not enough memory to reconstruct " + std::to_string(request.slices.count) +
                                             " slices at once; ask for fewer slices or a smaller region");
    }
}

} // namespace engine
