// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/volume/volume_needs.h"

#include "engine/base/error.h"
#include "engine/base/number_text.h"
#include "engine/io/slices/slice_writer.h"
#include "engine/reconstruct/reconstruct.h"
#include "engine/request/section.h"
#include "engine/volume/disk_rates.h"

#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <system_error>

namespace engine
{

namespace fs = std::filesystem;

namespace
{

constexpr double trialBytes = 64 << 20;
constexpr decltype(statfs::f_type) systemFolders[] = {PROC_SUPER_MAGIC, SYSFS_MAGIC, CGROUP2_SUPER_MAGIC};

// Returns the path itself if it exists, else its nearest parent folder that exists.
fs::path standing(const fs::path& path)
{
    std::error_code unreadable;
    fs::path at = fs::absolute(path, unreadable).lexically_normal();
    while (!fs::exists(at, unreadable) && at.has_relative_path())
        at = at.parent_path();
    return at;
}

void addPlace(const VolumeOutput& output, VolumeNeeds& needs)
{
    const bool isFolder = outputKindOf(output.path) == OutputKind::folder;
    const Text path = fileText(output.path.string());
    std::error_code unreadable;
    if (!isFolder && fs::exists(output.path, unreadable) && !output.overwrite)
        needs.impossible.push_back(path + " exists already. Choose another name, or allow overwriting" +
                                   hint("overwrite") + ".");
    const fs::path whole = fs::absolute(output.path, unreadable).lexically_normal();
    const fs::path folder = standing(isFolder ? whole : whole.parent_path());
    if (!isFolder && folder != whole.parent_path())
        needs.impossible.push_back("The folder of " + path + " is missing.");
    else if (!fs::is_directory(folder, unreadable) || ::access(folder.c_str(), W_OK | X_OK) != 0)
        needs.impossible.push_back(fileText(folder.string()) + " is not a folder that can be written.");
    if (struct statfs system = {}; ::statfs(folder.c_str(), &system) == 0 &&
                                   std::ranges::find(systemFolders, system.f_type) != std::end(systemFolders))
        needs.impossible.push_back(fileText(folder.string()) +
                                   " is a folder of the system that can't hold files. Choose another folder.");
    if (struct stat status = {}; ::stat(folder.c_str(), &status) == 0)
        needs.disk = status.st_dev;
    if (const fs::space_info space = fs::space(folder, unreadable); !unreadable && space.capacity > 0)
        needs.freeBytes = static_cast<double>(space.available);
}

} // namespace

VolumeNeeds needsOf(const Request& request, const VolumeOutput& output, int done)
{
    VolumeNeeds needs;
    const Section section = sectionOf(request);
    const OutputFormat format{.type = output.stored.type, .range = {}};
    needs.outputBytes = double(format.bytesPerValue()) * section.grid.width * section.grid.height *
                        (request.place.slices().count - done);
    const Scan& scan = *request.scan;
    bool isTooMuch = false;
    try {
        needs.scanBytes = double(scan.bytesPerSample) * projectionsOf(request) * scan.bins() *
                          rowsFor(scan.geometry, section.needed).count;
        needs.plan = planVolume(request, output.overlap);
    } catch (const Error& error) {
        isTooMuch = error.kind() == ErrorKind::noMemory;
        needs.impossible.push_back((isTooMuch ? "Memory: " : "") + error.text() + ".");
        needs.failure = error.kind();
    }
    addPlace(output, needs);
    if (needs.freeBytes && *needs.freeBytes < needs.outputBytes) {
        const Text text = fileText(output.path.string()) + " takes " + sizeText(needs.outputBytes) +
                          (output.stored.deflateLevel > 0 ? " before compression" : "") + ", and its disk has " +
                          sizeText(*needs.freeBytes) + " free.";
        (output.stored.deflateLevel > 0 ? needs.doubts : needs.impossible).push_back(text);
        isTooMuch = isTooMuch || output.stored.deflateLevel == 0;
    }
    if (isTooMuch)
        needs.fits = fitsFor(std::array{WantedVolume{request, output, needs.freeBytes, needs.disk}});
    return needs;
}

VolumePlan planFor(const Request& request, const VolumeOutput& output)
{
    try {
        return planVolume(request, output.overlap);
    } catch (const Error& error) {
        throw Error(error.kind(), error.text() + "." + fitsText(needsOf(request, output).fits));
    }
}

VolumeTime timeOf(const Request& request, const VolumeNeeds& needs, const VolumeRates& rates)
{
    const auto over = [](double bytes, double rate) { return rate > 0 ? bytes / rate : 0; };
    const int slices = request.place.slices().count;
    VolumeTime time{.read = over(needs.scanBytes, rates.readBytes),
                    .prepare = slices * rates.prepareSeconds,
                    .compute = slices * rates.computeSeconds,
                    .write = over(needs.outputBytes, rates.writeBytes)};
    const double sum = time.read + time.prepare + time.compute + time.write;
    // Preparing and computing share the processor's threads, so their times are added. The first and the last group
    // have no others to overlap with.
    const double busy = time.prepare + time.compute;
    const double slowest = std::max({time.read, busy, time.write});
    const double alone =
        needs.plan.slicesPerGroup > 0 && slices > 0 ? std::min(1.0, double(needs.plan.slicesPerGroup) / slices) : 1;
    time.seconds = needs.plan.overlapped ? slowest + alone * (sum - slowest) : sum;
    return time;
}

VolumeRates measureDisks(const Request& request, const fs::path& output, const std::stop_token& stop,
                         const std::function<void(double)>& progress)
{
    VolumeRates rates;
    const auto measured = [&stop](const auto& measure) {
        try {
            return measure();
        } catch (const std::exception&) {
            throwIfStopped(stop);
            return 0.0;
        }
    };
    std::vector<fs::path> files;
    for (const fs::path& file : request.scan->files)
        if (std::error_code unreadable; fs::is_regular_file(file, unreadable))
            files.push_back(file);
    if (!files.empty())
        rates.readBytes = measured([&] { return measureReading(files, trialBytes, stop); });
    if (progress)
        progress(0.5);
    const bool isFolder = outputKindOf(output) == OutputKind::folder;
    std::error_code unreadable;
    const fs::path folder = standing(isFolder ? output : fs::absolute(output, unreadable).parent_path());
    if (const fs::space_info space = fs::space(folder, unreadable); !unreadable && space.available > 8 * trialBytes)
        rates.writeBytes = measured([&] {
            return measureWriting(folder, isFolder ? Written::manyFiles : Written::oneFile, trialBytes, trialBytes,
                                  stop);
        });
    return rates;
}

void setRates(VolumeRates& rates, const Reconstruction& made)
{
    const int slices = std::max(made.grid.slices, 1);
    rates.prepareSeconds = made.timings.prepare.seconds / slices;
    rates.computeSeconds = made.timings.totalSeconds / slices;
}

namespace
{

// Sets the times of a plane from those of a smaller one, since a huge one would take as long as its result.
void setRatesOfPlane(VolumeRates& rates, const Request& request, const std::stop_token& stop)
{
    constexpr int most = 512; // pixels along each side
    Request trial = request;
    Plane& part = std::get<PlanePart>(trial.place.part).plane;
    if (sectionOf(request).isOfVoxels) { // its middle
        for (int* side : {&part.width, &part.height})
            *side -= 2 * (std::max(*side - most, 0) / 2); // still odd or even, so that pixels stay voxels
    } else if (const int longer = std::max(part.width, part.height); longer > most) { // fewer pixels
        const double share = static_cast<double>(most) / longer;
        part.width = std::max(static_cast<int>(part.width * share), 1);
        part.height = std::max(static_cast<int>(part.height * share), 1);
        part.pixel /= share;
    }
    const auto rowsOf = [](const Request& wanted) {
        return static_cast<double>(rowsFor(wanted.scan->geometry, sectionOf(wanted).needed).count);
    };
    const auto pixelsOf = [](const Plane& plane) { return static_cast<double>(plane.width) * plane.height; };
    Reconstructor reconstructor;
    reconstructor.run(trial, {}, stop); // plans the transforms and finds the axis
    const Timings times = reconstructor.run(trial, {}, stop).timings;
    const double moreRows = rowsOf(request) / std::max(rowsOf(trial), 1.0);
    rates.prepareSeconds = times.prepare.seconds * moreRows;
    rates.computeSeconds = std::max(times.totalSeconds - times.kernelSeconds, 0.0) * moreRows +
                           times.kernelSeconds * pixelsOf(*request.place.plane()) / pixelsOf(part);
}

} // namespace

VolumeRates measureRates(const Request& request, const fs::path& output, const std::stop_token& stop)
{
    VolumeRates rates = measureDisks(request, output, stop);
    if (request.place.plane()) {
        setRatesOfPlane(rates, request, stop);
        return rates;
    }
    Request trial = inPairs(request);
    const RowRange all = trial.place.slices();
    const int pass = passOf(trial);
    const int count = std::min(all.count, pass);
    const auto passAt = [&](int slice) { return all.first + slice / pass * pass; }; // keeps pairs whole
    trial.place.setSlices({passAt((all.count - count) / 2), count});
    Reconstructor reconstructor;
    reconstructor.run(trial, {}, stop); // plans the transforms and finds the axis
    trial.place.setSlices({passAt((all.count - count) / 3), count});
    setRates(rates, reconstructor.run(trial, {}, stop));
    return rates;
}

} // namespace engine
