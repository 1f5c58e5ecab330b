// SPDX-License-Identifier: GPL-3.0-or-later
// Speed of a whole volume from disk to disk, compared with the speeds of disk and device.
#include "engine/measure/benchmark_kinds.h"

#include "engine/base/error.h"
#include "engine/base/machine.h"
#include "engine/base/parallel_for.h"
#include "engine/base/stopwatch.h"
#include "engine/io/files/created_folders.h"
#include "engine/io/files/file_region.h"
#include "engine/io/files/scratch_folder.h"
#include "engine/io/open/open_scan.h"
#include "engine/io/slices/slice_writer.h"
#include "engine/request/section.h"
#include "engine/scan/samples.h"
#include "engine/simulate/phantom.h"
#include "engine/volume/disk_rates.h"
#include "engine/volume/reconstruct_volume.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numbers>

namespace engine
{

namespace
{

namespace fs = std::filesystem;

constexpr double probedBytes = 4e9; // per writing method; more would not improve the result

// Writes a scan of whole numbers, whose rows repeat sixteen rows of the phantom.
std::shared_ptr<const Scan> makeScan(const BenchmarkOptions& options, const fs::path& path, const std::stop_token& stop)
{
    const SampleType* type = findSampleType(options.sampleType);
    if (!type || (type->name != std::string("uint16") && type->name != floatSamples().name))
        throw Error(ErrorKind::badRequest, "a scan of '" + options.sampleType +
                                               "' can't be simulated; give uint16 or float32, or an existing scan");
    Simulation simulation;
    simulation.phantom = Phantom::sheppLogan3d;
    simulation.size = options.size;
    simulation.projections = options.projections;
    simulation.slices = std::min(16, options.slices);
    simulation.counts = true;
    RawRows rows = simulate(simulation)->read({0, simulation.slices}, stop);
    for (float& count : rows.data.floats())
        count = std::floor(std::clamp(count, 0.0f, 65535.0f));
    const auto row = static_cast<std::size_t>(options.size), rowBytes = row * type->bytes,
               frameBytes = rowBytes * options.slices;
    std::ofstream(path).close();
    FileRegion region(path, path, 0, static_cast<long long>(frameBytes) * options.projections);
    const int together = static_cast<int>(std::clamp<std::size_t>((64 << 20) / frameBytes, 1, 1024));
    Buffer<char> frames(frameBytes * together);
    for (int first = 0; first < options.projections; first += together) {
        const int count = std::min(together, options.projections - first);
        parallelFor(0, count * options.slices, [&](int line) {
            const int projection = first + line / options.slices, from = line % options.slices % simulation.slices;
            const float* counts =
                rows.data.floats().data() + (static_cast<std::size_t>(projection) * simulation.slices + from) * row;
            type->fromFloats(counts, row, frames.data() + line * rowBytes);
        });
        region.write(static_cast<long long>(frameBytes) * first,
                     std::as_bytes(std::span(frames).first(frameBytes * static_cast<std::size_t>(count))), stop);
    }
    OpenOptions open;
    open.raw = RawLayout{options.projections, options.slices, options.size, type->name, false, 0};
    open.angleRangeRad = {0, std::numbers::pi * (options.projections - 1) / options.projections};
    open.values = Quantity::counts;
    return openScan(path, open);
}

double storedBytes(const Request& request)
{
    const Scan& scan = *request.scan;
    const SampleType* type = findSampleType(scan.sampleType);
    return static_cast<double>(type ? type->bytes : 4) * scan.bins() * scan.projections() *
           request.place.slices().count;
}

double imageBytes(const Request& request)
{
    const VolumeGrid grid = sectionOf(request).grid;
    return static_cast<double>(sizeof(float)) * grid.width * grid.height * grid.slices;
}

// Writes the volume into a folder inside `parent`, and removes it.
Reconstruction writeVolume(const Request& request, const VolumePlan& plan, const fs::path& parent, Written written,
                           const VolumeProgress& progress, const std::stop_token& stop)
{
    ScratchFolder folder(parent);
    const SliceNames names("slice");
    for (int slice = 0; written == Written::manyFiles && slice < request.scan->slices(); ++slice)
        folder.file(names.of(slice));
    const fs::path path = written == Written::oneFile ? folder.file("volume.h5") : folder.path();
    const Stopwatch watch;
    const Place place = inPairs(request).place;
    SliceWriter writer(path, names, place.slices(), false, ProtectedInputs(*request.scan), {}, {}, {}, place.pairsOf());
    Reconstruction made = reconstructVolume(
        request, plan, [&](const Reconstruction& group, std::stop_token stopped) { writer.write(group, stopped); },
        progress, stop);
    writer.finish({"{}"});
    made.timings.elapsedSeconds = watch.seconds(); // including opening and closing the output
    return made;
}

// Adds a row. machineWrite: bytes per second of the disk for this output, as `machineRead` for reading.
void measureOutput(Benchmark& result, const Request& request, const fs::path& folder, Written written,
                   double machineRead, double machineWrite, const std::function<void(double)>& progress,
                   const std::stop_token& stop)
{
    VolumePlan plan = planVolume(request);
    const int slicesPerGroup = plan.slicesPerGroup;
    const Reconstruction made = writeVolume(
        request, plan, folder, written, [&](double fraction, const RowRange&, Stage) { progress(fraction); }, stop);
    const Timings& times = made.timings;
    result.device = made.device;
    const double devices = std::max<double>(1, static_cast<double>(made.shares.size())); // that compute side by side
    BenchmarkRow& row = result.rows.emplace_back();
    row.output = written == Written::oneFile ? "hdf5" : "tiffs";
    row.method = made.method;
    row.geometry = labelOf(request.scan->geometry);
    row.device = devicesToText(request.resources);
    const Kernel& kernel = made.request.setting.kernel;
    row.interpolation = kernel.interpolation;
    row.precision = kernel.precision;
    row.slicesPerPass = kernel.slicesPerPass;
    row.slices = made.request.place.slices().count;
    row.size = made.grid.size;
    row.bins = request.scan->bins();
    row.projections = request.scan->projections();
    row.threads = threadsOf(request.resources.threads);
    row.filterSeconds = times.filter.seconds / devices;
    row.kernelSeconds = times.kernelSeconds / devices;
    row.kernelGups = made.kernelGups;
    row.totalSeconds = times.totalSeconds / devices;
    row.totalGups = made.totalGups;
    row.wholeSeconds = times.elapsedSeconds;

    Request some = request; // a few groups, one stage after the other
    some.place.setSlices(
        {request.place.slices().first, std::min(request.place.slices().count, 4 * plan.slicesPerGroup)});
    plan.overlapped = false;
    plan.workers = 1;
    const Timings alone = writeVolume(some, plan, folder, written, {}, stop).timings;
    const double bytesIn = storedBytes(request), bytesOut = imageBytes(request),
                 readAlone = storedBytes(some) / alone.read.seconds, writeAlone = imageBytes(some) / alone.writeSeconds;
    using Unit = Figure::Unit;
    row.figures = {
        {"slicesPerGroup", "", static_cast<double>(slicesPerGroup)},
        {"bytesIn", "", bytesIn},
        {"bytesOut", "", bytesOut},
        {"readSeconds", "", times.read.seconds},
        {"prepareSeconds", "", times.prepare.seconds},
        {"writeSeconds", "", times.writeSeconds},
        // Over the longest of three times: reading and writing at the machine's rates, and computing. Hardly ever
        // below 1.
        {"wholeOverSlowest", "over the slowest",
         row.wholeSeconds / std::max({bytesIn / machineRead, bytesOut / machineWrite, row.totalSeconds}), Unit::times},
        {"filterAndBackprojectSeconds", "compute", row.totalSeconds, Unit::seconds},
        {"readAloneBytesPerSecond", "read alone", readAlone, Unit::bytesPerSecond},
        {"readOverMachine", "of disk", readAlone / machineRead, Unit::share},
        {"prepareAloneBytesPerSecond", "prepare alone", storedBytes(some) / alone.prepare.seconds,
         Unit::bytesPerSecond},
        {"writeAloneBytesPerSecond", "write alone", writeAlone, Unit::bytesPerSecond},
        {"writeOverMachine", "of disk", writeAlone / machineWrite, Unit::share},
    };
}

} // namespace

Benchmark measureVolume(const BenchmarkOptions& options, const BenchmarkWatch& watch, const std::stop_token& stop)
{
    const auto doing = [&](double fraction, const std::string& what) {
        if (watch.onProgress)
            watch.onProgress(fraction, what);
    };
    const MadeFolders made(options.folder);
    ScratchFolder folder(options.folder);
    Request request;
    request.scan = options.scan;
    if (!request.scan) {
        doing(0, "making a scan");
        request.scan = makeScan(options, folder.file("scan.raw"), stop);
    }
    request.place.setSlices({0, request.scan->slices()});
    request.setting.kernel.precision = options.precision.value_or(Precision::half);
    request.setting.axis.mode = AxisSettings::Mode::middle; // searching the axis would add a time of its own
    request.resources = {.device = options.device,
                         .others = options.others,
                         .threads = options.threads,
                         .memoryLimitBytes = options.memoryLimitBytes};
    chooseSlicesPerPass(request);

    Benchmark result = benchmarkOf(options, {});
    result.scan = request.scan->name;
    doing(0.1, "measuring the disk");
    const double probed = std::min(probedBytes, storedBytes(request)), bytesOut = imageBytes(request);
    const double read = measureReading(request.scan->files, probed, stop),
                 writeFile = measureWriting(folder.path(), Written::oneFile, probed, bytesOut, stop),
                 writeFiles = measureWriting(folder.path(), Written::manyFiles, probed, bytesOut, stop);
    result.figures = {
        {"readBytesPerSecond", "Disk, reading", read, Figure::Unit::bytesPerSecond},
        {"writeFileBytesPerSecond", "Disk, writing one file", writeFile, Figure::Unit::bytesPerSecond},
        {"writeFilesBytesPerSecond", "Disk, writing many files", writeFiles, Figure::Unit::bytesPerSecond}};
    measureOutput(
        result, request, folder.path(), Written::oneFile, read, writeFile,
        [&](double fraction) { doing(0.2 + 0.35 * fraction, "writing hdf5"); }, stop);
    measureOutput(
        result, request, folder.path(), Written::manyFiles, read, writeFiles,
        [&](double fraction) { doing(0.6 + 0.35 * fraction, "writing tiffs"); }, stop);
    return result;
}

} // namespace engine
