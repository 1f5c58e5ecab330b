// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/cuda/parallel/pipeline.h"

#include "engine/backends/cuda/device/host_copies.h"
#include "engine/backends/cuda/parallel/launch.h"
#include "engine/backends/cuda/parallel/pipeline_job.h"
#include "engine/backends/cuda/rows/incoming_rows.h"
#include "engine/base/error.h"
#include "engine/base/stopwatch.h"
#include "engine/base/uninitialized.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <tuple>

namespace engine::cuda
{

namespace
{

RowBlock rowsOf(const PipelineJob& job, const PassSlot& slot)
{
    return {{slot.firstSlice, slot.slices}, {0, job.launch.sinograms.projections}};
}

} // namespace

struct Pipeline::Impl {
    int device = 0;
    cudaDeviceProp properties{};
    Stream compute, flag;
    IncomingRows incoming{compute.get(), 3};
    HostCopies downloads{HostCopies::Direction::toHost};
    PassSlot slots[3]; // whose rows have the same number in `incoming`
    DeviceTimer kernelTimes;
    InterleavedSinograms sinograms; // of the pass that is back-projected
    InterleavedSinograms substituteSinograms;
    std::vector<Ray> hostRays;
    DeviceBuffer<Ray> rays;
    DeviceBuffer<float> partial;
    DeviceBuffer<unsigned> counters;
    std::set<std::tuple<const Kernels*, std::string, Interpolation, Precision, int>>
        launched; // by this pipeline before
    std::optional<StoredKey> kept;
    double keptSeconds = 0, keptUploadSeconds = 0; // of its filter and upload
    int substituted = 0; // slices of this run with values that aren't finite: back-projected again by the substitute

    int numberOf(const PassSlot& slot) const { return static_cast<int>(&slot - slots); }
    void use() const { SINOSCOPE_CUDA(cudaSetDevice(device)); }
    void setRays(const PipelineJob& job);
    void startUpload(const PipelineJob& job, PassSlot& slot, int firstSlice, int slices);
    void startKernels(const PipelineJob& job, PassSlot& slot, bool filtering);
    void startDownload(const PipelineJob& job, const PassSlot& slot);
    void bySubstitute(const PipelineJob& job, PassSlot& slot);
    bool hasNonFinite(const PassSlot& slot);
    void mend(const PipelineJob& job, PassSlot& slot);
    void finish(const PipelineJob& job, PassSlot& slot);
    void takeTimes(LaunchReport& report);
    void abandon() noexcept;
    KernelArguments arguments(const PipelineJob& job, const Kernels& kernels, const InterleavedSinograms& sinograms,
                              int slices, float* image);
    void chooseSplits(const Kernels& kernels, KernelArguments& arguments);
    LaunchReport runOnePass(const PipelineJob& job);
    LaunchReport runPasses(const PipelineJob& job);
};

void Pipeline::Impl::setRays(const PipelineJob& job)
{
    hostRays = raysOf(parallelBeamOf(job.launch.geometry, "a GPU"), job.launch.grid);
    rays.reserve(hostRays.size());
    SINOSCOPE_CUDA(cudaMemcpyAsync(rays.data(), hostRays.data(), hostRays.size() * sizeof(Ray), cudaMemcpyHostToDevice,
                                   compute.get()));
}

// The upload waits until the raw rows of the slot's previous pass have been filtered.
void Pipeline::Impl::startUpload(const PipelineJob& job, PassSlot& slot, int firstSlice, int slices)
{
    slot.firstSlice = firstSlice;
    slot.slices = slices;
    incoming.startUpload(rowsOf(job, slot), numberOf(slot));
}

// Chooses the number of splits. Small images don't fill the device, so their projections are split among more blocks.
// Where the number of resident blocks is unknown, four blocks per multiprocessor are enough to hide the latencies.
void Pipeline::Impl::chooseSplits(const Kernels& kernels, KernelArguments& arguments)
{
    const int blocks = std::max(1, kernels.blocks(arguments)), projections = arguments.sinograms.projections;
    const int multiprocessors = properties.multiProcessorCount;
    if (const auto resident = kernels.resident) {
        // Blocks run in waves. A wave takes the time of its projections plus that of about 24 more, for its beginning
        // and end.
        const int atOnce = resident(arguments) * multiprocessors;
        const auto duration = [&](int splits) {
            return (blocks * splits + atOnce - 1) / atOnce * (projections / splits + 24);
        };
        for (int splits = 2; splits <= std::min(projections / 32, mostSplits); ++splits)
            if (duration(splits) < duration(arguments.splits))
                arguments.splits = splits;
    } else {
        const int most = std::clamp(projections / 64, 1, mostSplits);
        arguments.splits = std::clamp((4 * multiprocessors + blocks - 1) / blocks, 1, most);
    }
    if (arguments.splits > 1) {
        partial.reserve(static_cast<std::size_t>(arguments.width) * arguments.height * arguments.sinograms.slices *
                        arguments.splits);
        arguments.partial = partial.data();
    }
}

KernelArguments Pipeline::Impl::arguments(const PipelineJob& job, const Kernels& kernels,
                                          const InterleavedSinograms& sinograms, int slices, float* image)
{
    KernelArguments result;
    result.sinograms = {sinograms.data.data(),
                        sinograms.pitchBytes,
                        job.launch.sinograms.bins,
                        job.launch.sinograms.projections,
                        slices,
                        job.launch.kernel.precision};
    result.rays = rays.data();
    result.hostRays = hostRays.data();
    result.width = job.launch.grid.width;
    result.height = job.launch.grid.height;
    result.image = image;
    result.unscale = sinograms.unscale.data();
    result.interpolation = job.launch.kernel.interpolation;
    result.oversampling = job.launch.kernel.oversampling;
    result.counters = counters.data();
    result.multiprocessors = properties.multiProcessorCount;
    result.computeCapability = 10 * properties.major + properties.minor;
    if (kernels.setVariant && !job.launch.kernel.variant.empty())
        kernels.setVariant(result, job.launch.kernel.variant);
    result.coarse = job.coarse();
    result.stream = compute.get();
    chooseSplits(kernels, result);
    return result;
}

void Pipeline::Impl::startKernels(const PipelineJob& job, PassSlot& slot, bool filtering)
{
    if (filtering) {
        incoming.waitForUpload();
        const float* rows = incoming.prepared(rowsOf(job, slot), numberOf(slot));
        incoming.beginFilter();
        if (job.tensorLayout())
            incoming.filter().runForTensor(rows, slot.slices, job.slicesPerPass(), job.launch.kernel.precision,
                                           sinograms, compute.get());
        else if (!job.substituted())
            incoming.filter().run(rows, slot.slices, job.slicesPerPass(), job.launch.kernel.precision, sinograms,
                                  compute.get());
        incoming.used(numberOf(slot));
        if (job.wantsFinite()) {
            slot.nonFinite.reserve(1);
            SINOSCOPE_CUDA(cudaMemcpyAsync(slot.nonFinite.data(), sinograms.nonFinite.data(), sizeof(unsigned),
                                           cudaMemcpyDeviceToDevice, compute.get()));
        }
    }
    slot.image.reserve(static_cast<std::size_t>(job.launch.grid.width) * job.launch.grid.height * job.slicesPerPass());
    if (job.substituted()) {
        bySubstitute(job, slot);
        return;
    }
    KernelArguments launch = arguments(job, job.kernels, sinograms, job.slicesPerPass(), slot.image.data());
    slot.texture.emplace(sinograms.data.data(), sinograms.pitchBytes, job.launch.sinograms.bins,
                         job.launch.sinograms.projections, job.slicesPerPass(),
                         job.launch.kernel.precision == Precision::half,
                         job.launch.kernel.interpolation != Interpolation::nearest);
    launch.texture = slot.texture->get();
    // CUDA loads a kernel at its first launch, which takes longer than the kernel itself. An extra launch keeps the
    // loading out of the measured time.
    if (launched
            .insert({&job.kernels, job.launch.kernel.variant, job.launch.kernel.interpolation,
                     job.launch.kernel.precision, job.slicesPerPass()})
            .second)
        job.kernels.launch(launch);
    slot.kernel = &kernelTimes.begin(compute.get());
    job.kernels.launch(launch);
    slot.kernel->ended.record(compute.get());
}

// Back-projects the slices of a pass with the substitute kernel, four at a time, from the rows in `incoming`, which
// stay there until the upload after finish().
void Pipeline::Impl::bySubstitute(const PipelineJob& job, PassSlot& slot)
{
    const std::size_t row = static_cast<std::size_t>(job.launch.sinograms.projections) * job.launch.sinograms.bins;
    const std::size_t pixels = static_cast<std::size_t>(job.launch.grid.width) * job.launch.grid.height;
    slot.kernel = &kernelTimes.begin(compute.get());
    for (int first = 0; first < slot.slices; first += 4) {
        incoming.filter().run(incoming.values(numberOf(slot)) + first * row, std::min(4, slot.slices - first), 4,
                              job.launch.kernel.precision, substituteSinograms, compute.get());
        const Kernels& substitute = *job.kernels.substitute;
        substitute.launch(arguments(job, substitute, substituteSinograms, 4, slot.image.data() + first * pixels));
    }
    slot.kernel->ended.record(compute.get());
}

void Pipeline::Impl::startDownload(const PipelineJob& job, const PassSlot& slot)
{
    const std::size_t slice = static_cast<std::size_t>(job.launch.grid.width) * job.launch.grid.height;
    downloads.start(job.launch.image.values.data() + slot.firstSlice * slice, slot.image.data(), slice * slot.slices,
                    slot.kernel->ended);
}

// Returns whether the slot's pass has values that aren't finite. The slot's kernel must have ended.
bool Pipeline::Impl::hasNonFinite(const PassSlot& slot)
{
    unsigned value = 0;
    SINOSCOPE_CUDA(cudaMemcpyAsync(&value, slot.nonFinite.data(), sizeof(value), cudaMemcpyDeviceToHost, flag.get()));
    flag.synchronize();
    return value != 0;
}

void Pipeline::Impl::mend(const PipelineJob& job, PassSlot& slot)
{
    substituted += slot.slices;
    bySubstitute(job, slot);
    startDownload(job, slot);
    downloads.wait();
}

void Pipeline::Impl::finish(const PipelineJob& job, PassSlot& slot)
{
    if (slot.slices == 0)
        return;
    downloads.wait();
    if (job.wantsFinite() && hasNonFinite(slot))
        mend(job, slot);
    slot.slices = 0;
}

void Pipeline::Impl::takeTimes(LaunchReport& report)
{
    report.prepareSeconds = incoming.prepareTimes().take();
    report.filterSeconds = incoming.filterTimes().take();
    report.kernelSeconds = kernelTimes.take();
    report.uploadSeconds = incoming.takeUploadSeconds();
    report.downloadSeconds = downloads.takeSeconds();
}

// Stops all work. Afterwards nothing uses the job, or memory that the next job may reallocate.
void Pipeline::Impl::abandon() noexcept
{
    incoming.abandon();
    downloads.abandon();
    cudaStreamSynchronize(compute.get());
    kernelTimes.clear();
}

LaunchReport Pipeline::Impl::runOnePass(const PipelineJob& job)
{
    const std::optional<StoredKey> key = job.key();
    LaunchReport times;
    times.filterReused = key && kept == key;
    const Stopwatch watch;
    PassSlot& slot = slots[0];
    if (!times.filterReused) {
        kept.reset();
        incoming.setFilter();
        startUpload(job, slot, 0, job.launch.sinograms.slices);
    }
    slot.firstSlice = 0;
    slot.slices = job.launch.sinograms.slices;
    startKernels(job, slot, !times.filterReused);
    startDownload(job, slot);
    finish(job, slot);
    times.totalSeconds = watch.seconds();
    takeTimes(times);
    if (times.filterReused) {
        times.filterSeconds = keptSeconds;
        times.uploadSeconds = keptUploadSeconds;
        times.totalSeconds += keptSeconds + keptUploadSeconds;
    } else {
        kept = key;
        keptSeconds = times.filterSeconds;
        keptUploadSeconds = times.uploadSeconds;
    }
    return times;
}

LaunchReport Pipeline::Impl::runPasses(const PipelineJob& job)
{
    const int count = job.launch.sinograms.slices, perPass = job.slicesPerPass();
    const int passes = (count + perPass - 1) / perPass;
    LaunchReport times;
    const Stopwatch watch;
    kept.reset();
    incoming.setFilter();
    for (PassSlot& slot : slots)
        slot.slices = 0;
    const auto upload = [&](int pass) {
        startUpload(job, slots[pass % 3], pass * perPass, std::min(perPass, count - pass * perPass));
    };
    // On the device, the kernels of a pass wait for those of the previous pass, whose images are downloaded
    // meanwhile.
    const auto download = [&](int pass) {
        if (pass > 0)
            finish(job, slots[(pass - 1) % 3]);
        startDownload(job, slots[pass % 3]);
    };
    upload(0);
    for (int pass = 0; pass < passes; ++pass) {
        throwIfStopped(job.launch.stop);
        startKernels(job, slots[pass % 3], true); // waits for the upload
        if (pass > 0)
            download(pass - 1); // first waits for the download of pass − 2, whose slot the next upload uses
        if (pass + 1 < passes)
            upload(pass + 1);
        if (job.launch.progress)
            job.launch.progress(static_cast<double>(pass) / passes);
    }
    download(passes - 1);
    finish(job, slots[(passes - 1) % 3]);
    times.totalSeconds = watch.seconds();
    takeTimes(times);
    return times;
}

Pipeline::Pipeline(int deviceIndex)
{
    SINOSCOPE_CUDA(cudaSetDevice(deviceIndex));
    m_impl = std::make_unique<Impl>();
    m_impl->device = deviceIndex;
    SINOSCOPE_CUDA(cudaGetDeviceProperties(&m_impl->properties, deviceIndex));
    m_impl->counters.reserve(1024);
}

Pipeline::~Pipeline()
{
    cudaSetDevice(m_impl->device);
}

void Pipeline::dropOthers(const Scan* scan)
{
    if (m_impl->kept && m_impl->kept->filtered.prepared.scan.get() != scan)
        m_impl->kept.reset();
}

LaunchReport Pipeline::run(const Kernels& kernels, const LaunchArguments& arguments)
{
    const PipelineJob job{kernels, arguments};
    if (arguments.sinograms.projections > 65000)
        throw Error(ErrorKind::badRequest, std::to_string(arguments.sinograms.projections) +
                                               " projections are more than a GPU's texture holds (65000); choose cpu");
    m_impl->use();
    m_impl->substituted = 0;
    try {
        m_impl->setRays(job);
        m_impl->incoming.begin(arguments);
        // The first images take a while, so the image's memory is touched meanwhile. Cone beams don't do this: it
        // slowed them down (512³ in half precision on an H200: to 67 to 90 % of the speed).
        const TouchAhead touching(arguments.image.values.data(), arguments.image.values.size() * sizeof(float));
        LaunchReport times =
            arguments.sinograms.slices <= job.slicesPerPass() ? m_impl->runOnePass(job) : m_impl->runPasses(job);
        times.unprepared = m_impl->incoming.finish();
        if (m_impl->substituted > 0)
            times.notes.push_back(std::to_string(m_impl->substituted) +
                                  " slices were back-projected by `alu`: some contain values that are not finite, "
                                  "which `tensor` would spread to other pixels.");
        return times;
    } catch (...) {
        m_impl->abandon();
        throw;
    }
}

} // namespace engine::cuda
