// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/cuda/cone/cone_pipeline.h"

#include "engine/backends/cuda/cone/cone_job.h"
#include "engine/backends/cuda/cone/host_filter.h"
#include "engine/backends/cuda/device/host_copies.h"
#include "engine/backends/cuda/rows/incoming_rows.h"
#include "engine/base/stopwatch.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace engine::cuda
{

struct ConePipeline::Impl {
    int device = 0;
    std::function<bool()> freeOthers;
    Stream compute;
    IncomingRows incoming{compute.get(), 2};
    HostCopies downloads{HostCopies::Direction::toHost};
    DeviceBuffer<float> volume, turned;
    std::vector<StoredBatch> stored;      // of the part that is reconstructed
    std::optional<HostFilter> hostFilter; // set if the processor filters
    FilteredSinograms fromHost[2];
    DeviceTimer kernelTimes;
    std::set<std::tuple<ConeKernel, int, bool, bool, int>> launched; // by this pipeline before

    LaunchReport run(const ConeJob& job);
    std::vector<ConeJob> partsOf(const ConeJob& job) const;
    void runPart(const ConeJob& job, LaunchReport& report);
    void downloadLast(const ConeJob& job, const RowRange& slab);
    void addTimes(LaunchReport& report);
    void startUpload(const RowBlock& batch, int slot);
    void storeBatch(const ConeJob& job, const RowBlock& batch, int slot, StoredBatch& stored);
    void launch(const ConeJob& job, const StoredBatch& stored, const RowBlock& batch, const RowRange& slab);
    void startDownload(const ConeJob& job, RowRange slices, const Event& after);
    void download(const ConeJob& job, const RowRange& slab, const Event& after);
    void freeMemory() noexcept;
    void abandon() noexcept;
};

void ConePipeline::Impl::startUpload(const RowBlock& batch, int slot)
{
    if (!hostFilter)
        return incoming.startUpload(batch, slot);
    fromHost[slot] = hostFilter->take();
    incoming.startUpload(std::get<Values>(fromHost[slot].values), slot);
}

// Prepares and filters the uploaded batch, and stores it in the layout that the kernel needs.
void ConePipeline::Impl::storeBatch(const ConeJob& job, const RowBlock& batch, int slot, StoredBatch& stored)
{
    const SinogramView& data = job.launch.sinograms;
    incoming.waitForUpload();
    const GpuFilter::Rows rows = incoming.filtered(batch, slot, hostFilter.has_value());
    stored.allocate(job, batch);
    storeCone(rows.values, data.slices, batch.count(), data.bins, rows.largest, stored.unscale.data(), stored.target(),
              compute.get());
    incoming.used(slot);
    if (job.wantsFinite()) {
        unsigned nonFinite = 0;
        SINOSCOPE_CUDA(
            cudaMemcpyAsync(&nonFinite, rows.nonFinite, sizeof nonFinite, cudaMemcpyDeviceToHost, compute.get()));
        compute.synchronize();
        stored.finite = nonFinite == 0;
    }
}

void ConePipeline::Impl::launch(const ConeJob& job, const StoredBatch& stored, const RowBlock& batch,
                                const RowRange& slab)
{
    ConeArguments arguments = job.arguments(stored, batch);
    arguments.volume = job.zFastest() ? turned.data() : volume.data();
    arguments.firstSlice = slab.first;
    arguments.endSlice = slab.first + slab.count;
    arguments.stream = compute.get();
    // CUDA loads a kernel at its first launch, which takes longer than the kernel itself. An extra launch keeps the
    // loading out of the measured time; it has no projections, so that it adds nothing to the volume.
    if (launched.insert({job.kernel, static_cast<int>(job.layout), arguments.half, arguments.linear, arguments.deep})
            .second) {
        ConeArguments none = arguments;
        none.projections = 0;
        job.enqueue(none);
    }
    const DeviceTimer::Span& time = kernelTimes.begin(compute.get());
    job.enqueue(arguments);
    time.ended.record(compute.get());
}

// Downloads some slices. If slices of other parts lie between the upper and the lower half of this part in the image,
// the slices must all be in the same half.
void ConePipeline::Impl::startDownload(const ConeJob& job, RowRange slices, const Event& after)
{
    const std::size_t slice = static_cast<std::size_t>(job.grid.width) * job.grid.height;
    const int to = slices.first + (2 * slices.first >= job.grid.slices ? job.between : 0);
    downloads.start(job.image + to * slice, volume.data() + slices.first * slice, slice * slices.count, after);
}

// Downloads a slab. If the job is mirrored, the slab is one of the upper half, and its mirror image is downloaded too.
void ConePipeline::Impl::download(const ConeJob& job, const RowRange& slab, const Event& after)
{
    downloads.wait();
    startDownload(job, slab, after);
    if (!job.mirrored)
        return;
    const int first = job.grid.slices - slab.first - slab.count;
    const RowRange below{std::max(first, slab.first + slab.count), 0};
    const int count = job.grid.slices - slab.first - below.first;
    if (count > 0) {
        downloads.wait();
        startDownload(job, {below.first, count}, after);
    }
}

// Reconstructs all of the job's grid, which must fit the device.
void ConePipeline::Impl::runPart(const ConeJob& job, LaunchReport& report)
{
    const std::size_t voxels = static_cast<std::size_t>(job.grid.width) * job.grid.height * job.grid.slices;
    volume.reserve(voxels);
    SINOSCOPE_CUDA(cudaMemsetAsync(volume.data(), 0, voxels * sizeof(float), compute.get()));
    if (job.zFastest()) {
        turned.reserve(voxels);
        SINOSCOPE_CUDA(cudaMemsetAsync(turned.data(), 0, voxels * sizeof(float), compute.get()));
    }
    const std::vector<RowBlock> batches = job.batches();
    const std::vector<RowRange> slabs = job.slabs();
    stored.resize(batches.size());
    std::size_t done = 0;
    const auto tick = [&] {
        // Runs ahead by one kernel at most, so that a stop takes effect soon.
        if (kernelTimes.size() > 1)
            kernelTimes.last(1).ended.synchronize();
        throwIfStopped(job.launch.stop);
        if (job.launch.progress)
            job.launch.progress(
                job.progressOf(static_cast<double>(++done) / static_cast<double>(batches.size() * slabs.size())));
    };
    if (job.launch.filter && job.launch.filter->onProcessor)
        hostFilter.emplace(job.launch, batches);
    startUpload(batches.front(), 0);
    for (std::size_t b = 0; b < batches.size(); ++b) {
        storeBatch(job, batches[b], static_cast<int>(b % 2), stored[b]);
        launch(job, stored[b], batches[b], slabs.front());
        if (b + 1 < batches.size()) // while the kernel runs
            startUpload(batches[b + 1], static_cast<int>((b + 1) % 2));
        tick();
        if (!job.keepsAll && b > 0) // the previous kernel has ended
            stored[b - 1] = {};
    }
    for (std::size_t s = 0; s < slabs.size(); ++s) {
        if (s > 0)
            for (std::size_t b = 0; b < batches.size(); ++b) {
                launch(job, stored[b], batches[b], slabs[s]);
                tick();
                if (b == 0 && !job.zFastest()) // while the kernel of this slab runs
                    download(job, slabs[s - 1], kernelTimes.last(1).ended);
            }
    }
    downloadLast(job, slabs.back());
    compute.synchronize();
    stored.clear();
    addTimes(report);
}

// Downloads what no later kernel changes: the last slab, or all of a volume that has to be reordered first.
void ConePipeline::Impl::downloadLast(const ConeJob& job, const RowRange& slab)
{
    const Event end; // the download waits for it
    if (job.zFastest()) {
        turnVolume(turned.data(), volume.data(), job.grid.width, job.grid.height, job.grid.slices, compute.get());
        end.record(compute.get());
        const int upper = job.between > 0 ? job.grid.slices / 2 : job.grid.slices;
        startDownload(job, {0, upper}, end);
        if (upper < job.grid.slices) {
            downloads.wait();
            startDownload(job, {upper, job.grid.slices - upper}, end);
        }
    } else
        download(job, slab, kernelTimes.last().ended);
    downloads.wait();
}

void ConePipeline::Impl::addTimes(LaunchReport& report)
{
    const double filterSeconds = incoming.filterTimes().take();
    if (hostFilter) { // the GPU only copies the filtered batches
        report.filterSeconds += hostFilter->seconds();
        hostFilter.reset();
        fromHost[0] = fromHost[1] = {};
    } else
        report.filterSeconds += filterSeconds;
    report.prepareSeconds += incoming.prepareTimes().take();
    report.kernelSeconds += kernelTimes.take();
    report.uploadSeconds += incoming.takeUploadSeconds();
    report.downloadSeconds += downloads.takeSeconds();
}

// Divides a job into parts that fit the memory that is free.
std::vector<ConeJob> ConePipeline::Impl::partsOf(const ConeJob& job) const
{
    std::size_t unused = 0, total = 0;
    SINOSCOPE_CUDA(cudaMemGetInfo(&unused, &total));
    std::vector<ConeJob> parts;
    for (const ConeJob& run : job.runs())
        std::ranges::move(run.parts(0.9 * static_cast<double>(unused)), std::back_inserter(parts));
    return parts;
}

LaunchReport ConePipeline::Impl::run(const ConeJob& job)
{
    const Stopwatch watch;
    LaunchReport report;
    incoming.begin(job.launch);
    std::vector<ConeJob> parts = partsOf(job);
    if (parts.size() > job.runs().size() || !parts.front().keepsAll)
        if (freeOthers())
            parts = partsOf(job);
    for (const ConeJob& part : parts)
        runPart(part, report);
    freeMemory();
    report.unprepared = incoming.finish();
    report.notes = job.notes();
    if (parts.size() > 1)
        report.notes.push_back("The GPU's memory holds only a part of the volume at a time: it was reconstructed in " +
                               std::to_string(parts.size()) + " parts.");
    report.totalSeconds = watch.seconds();
    return report;
}

// Frees the volume and the batches, so that slices and planes have the memory. No kernel may use them any more.
void ConePipeline::Impl::freeMemory() noexcept
{
    volume = {};
    turned = {};
    stored.clear();
}

// Stops all work. Afterwards nothing uses the job, or memory that the next job may reallocate.
void ConePipeline::Impl::abandon() noexcept
{
    incoming.abandon();
    downloads.abandon();
    cudaStreamSynchronize(compute.get());
    freeMemory();
    hostFilter.reset();
    kernelTimes.clear();
}

ConePipeline::ConePipeline(int deviceIndex, std::function<bool()> freeOthers)
{
    SINOSCOPE_CUDA(cudaSetDevice(deviceIndex));
    m_impl = std::make_unique<Impl>();
    m_impl->device = deviceIndex;
    m_impl->freeOthers = std::move(freeOthers);
}

ConePipeline::~ConePipeline()
{
    cudaSetDevice(m_impl->device);
}

LaunchReport ConePipeline::run(ConeKernel kernel, const LaunchArguments& arguments)
{
    SINOSCOPE_CUDA(cudaSetDevice(m_impl->device));
    const ConeJob job(kernel, arguments);
    try {
        return m_impl->run(job);
    } catch (...) {
        m_impl->abandon();
        throw;
    }
}

} // namespace engine::cuda
