// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/measure/volume_benchmark.h"

#include "engine/base/error.h"
#include "engine/base/parallel_for.h"
#include "engine/base/stopwatch.h"
#include "engine/io/files/created_folders.h"
#include "engine/io/files/file_region.h"
#include "engine/io/files/scratch_folder.h"
#include "engine/io/open/open_scan.h"
#include "engine/io/slices/slice_writer.h"
#include "engine/request/section.h"
#include "engine/scan/phantom.h"
#include "engine/scan/samples.h"
#include "engine/volume/disk_rates.h"
#include "engine/volume/reconstruct_volume.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <numbers>
#include <optional>

namespace engine
{

namespace
{

namespace fs = std::filesystem;

constexpr double probedBytes = 4e9; // per writing method; more would not improve the result

// Writes a scan of whole numbers, whose rows repeat sixteen rows of the phantom.
std::shared_ptr<const Scan> makeScan(const VolumeBenchmarkOptions& options, const fs::path& path,
                                     const std::stop_token& stop)
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
    return static_cast<double>(type ? type->bytes : 4) * scan.bins() * scan.projections() * request.place.slices.count;
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
    SliceWriter writer(path, names, place.slices, false, ProtectedInputs(*request.scan), {}, {}, {}, place.pairsOf);
    Reconstruction made = reconstructVolume(
        request, plan, [&](const Reconstruction& group, std::stop_token stopped) { writer.write(group, stopped); },
        progress, stop);
    writer.finish({"{}"});
    made.timings.elapsedSeconds = watch.seconds(); // including opening and closing the output
    return made;
}

MeasuredVolume measureVolume(const Request& request, const std::string& output, const fs::path& folder, Written written,
                             double machineRead, double machineWrite, const std::function<void(double)>& progress,
                             const std::stop_token& stop)
{
    MeasuredVolume run;
    run.output = output;
    VolumePlan plan = planVolume(request);
    run.slicesPerGroup = plan.slicesPerGroup;
    run.made = writeVolume(
        request, plan, folder, written, [&](double fraction, const RowRange&, Stage) { progress(fraction); }, stop);
    const Timings& times = run.made.timings;
    run.bytesIn = storedBytes(request);
    run.bytesOut = imageBytes(request);
    run.wholeOverSlowest =
        times.elapsedSeconds / std::max({run.bytesIn / machineRead, run.bytesOut / machineWrite, times.totalSeconds});

    Request some = request; // a few groups, one stage after the other
    some.place.slices.count = std::min(request.place.slices.count, 4 * plan.slicesPerGroup);
    plan.overlapped = false;
    const Timings alone = writeVolume(some, plan, folder, written, {}, stop).timings;
    run.readAlone = storedBytes(some) / alone.read.seconds;
    run.prepareAlone = storedBytes(some) / alone.prepare.seconds;
    run.writeAlone = imageBytes(some) / alone.writeSeconds;
    run.readOverMachine = run.readAlone / machineRead;
    run.writeOverMachine = run.writeAlone / machineWrite;
    return run;
}

} // namespace

VolumeBenchmark benchmarkVolume(const VolumeBenchmarkOptions& options,
                                const std::function<void(double fraction, const std::string& doing)>& doing,
                                std::stop_token stop)
{
    const MadeFolders made(options.folder);
    ScratchFolder folder(options.folder);
    Request request;
    request.scan = options.scan;
    if (!request.scan) {
        doing(0, "making a scan");
        request.scan = makeScan(options, folder.file("scan.raw"), stop);
    }
    request.place.slices = {0, request.scan->slices()};
    request.setting.kernel.precision = options.precision;
    request.setting.axis.mode = AxisSettings::Mode::middle; // searching the axis would add a time of its own
    request.resources = {
        .device = options.device, .threads = options.threads, .memoryLimitBytes = options.memoryLimitBytes};
    chooseSlicesPerPass(request);

    VolumeBenchmark result;
    result.scan = request.scan->name;
    doing(0.1, "measuring the disk");
    const double probed = std::min(probedBytes, storedBytes(request)), bytesOut = imageBytes(request);
    result.machineRead = measureReading(request.scan->files, probed, stop);
    result.machineWriteFile = measureWriting(folder.path(), Written::oneFile, probed, bytesOut, stop);
    result.machineWriteFiles = measureWriting(folder.path(), Written::manyFiles, probed, bytesOut, stop);
    for (const char* output : {"hdf5", "tiffs"}) {
        const bool toOneFile = result.runs.empty();
        const double before = toOneFile ? 0.2 : 0.6;
        result.runs.push_back(measureVolume(
            request, output, folder.path(), toOneFile ? Written::oneFile : Written::manyFiles, result.machineRead,
            toOneFile ? result.machineWriteFile : result.machineWriteFiles,
            [&](double fraction) { doing(before + 0.35 * fraction, std::string("writing ") + output); }, stop));
    }
    return result;
}

} // namespace engine
