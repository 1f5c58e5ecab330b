#include "engine/backproject/cuda/pipeline.h"

#include "engine/backproject/cuda/launch.h"
#include "engine/cuda/stream.h"
#include "engine/cuda/texture.h"
#include "engine/filter/cufft_filter.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <optional>
#include <set>
#include <thread>
#include <tuple>

namespace engine::cuda
{

namespace
{

double now()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Copies between pageable and pinned memory, by a few threads: one alone is slower than the bus.
void copyHost(float* to, const float* from, std::size_t count)
{
    constexpr std::size_t share = std::size_t{1} << 20; // values; below it a thread costs more than it brings
    const std::size_t threads = std::clamp<std::size_t>(count / share, 1, 8);
    std::vector<std::jthread> others;
    for (std::size_t k = 1; k < threads; ++k) {
        const std::size_t begin = count * k / threads, end = count * (k + 1) / threads;
        others.emplace_back([=] { std::memcpy(to + begin, from + begin, (end - begin) * sizeof(float)); });
    }
    std::memcpy(to, from, count / threads * sizeof(float));
}

// What one pass of slices needs. Three take turns: one is uploaded, one back-projected, one copied out.
struct Slot {
    PinnedBuffer<float> hostRaw, hostImage;
    PinnedBuffer<unsigned> nonFinite; // of the sinograms
    DeviceBuffer<float> raw, image;
    InterleavedSinograms sinograms;
    std::optional<Texture> texture;
    Event uploaded, filterBegun, filtered, kernelBegun, kernelEnded, downloaded;
    int firstSlice = 0, slices = 0; // under way; 0: none
};

// What the filtered sinograms in slot 0 depend on.
struct FilteredKey {
    std::shared_ptr<const Scan> scan;
    RowRange rows;
    FilterSettings filter;
    Precision precision = Precision::single;
    int slicesPerPass = 0;
    bool forTensor = false;
    bool operator==(const FilteredKey&) const = default;
};

bool coarse(const PipelineJob& job)
{
    return job.grid.step > 1;
}

// Whether the kernel of `tensor` does this job.
bool byTensor(const PipelineJob& job)
{
    return job.method.kernel.tensorLayout && !coarse(job);
}

} // namespace

struct Pipeline::Impl {
    int device = 0;
    cudaDeviceProp properties{};
    Stream upload, compute, download;
    Slot slots[3];
    CufftFilter filter;
    std::vector<Ray> hostRays;
    DeviceBuffer<Ray> rays;
    DeviceBuffer<float> partial;
    DeviceBuffer<unsigned> counters;
    std::set<std::tuple<std::string, Interpolation, Precision, int>> launched; // before, by this pipeline
    std::optional<FilteredKey> kept;
    double keptSeconds = 0;
    InterleavedSinograms aluSinograms; // of `byAlu`

    void use() const { SINOSCOPE_CUDA(cudaSetDevice(device)); }
    void setRays(const PipelineJob& job);
    void startUpload(const PipelineJob& job, Slot& slot, int firstSlice, int slices);
    void startKernels(const PipelineJob& job, Slot& slot, bool filtering);
    void startDownload(const PipelineJob& job, Slot& slot);
    void byAlu(const PipelineJob& job, Slot& slot);
    void copyDown(const PipelineJob& job, Slot& slot);
    void mend(const PipelineJob& job, Slot& slot, PipelineTimes& times);
    void finish(const PipelineJob& job, Slot& slot, PipelineTimes& times, bool filtering);
    KernelArguments arguments(const PipelineJob& job, const Kernels& kernels, const InterleavedSinograms& sinograms,
                              int slices, float* image);
    void chooseSplits(const Kernels& kernels, KernelArguments& arguments);
    PipelineTimes runOnePass(const PipelineJob& job);
    PipelineTimes runPasses(const PipelineJob& job);
};

void Pipeline::Impl::setRays(const PipelineJob& job)
{
    hostRays = raysOf(job.beam, job.grid);
    rays.reserve(hostRays.size());
    SINOSCOPE_CUDA(cudaMemcpyAsync(rays.data(), hostRays.data(), hostRays.size() * sizeof(Ray), cudaMemcpyHostToDevice,
                                   compute.get()));
}

void Pipeline::Impl::startUpload(const PipelineJob& job, Slot& slot, int firstSlice, int slices)
{
    const std::size_t slice = static_cast<std::size_t>(job.sinograms.projections) * job.sinograms.bins;
    slot.firstSlice = firstSlice;
    slot.slices = slices;
    slot.hostRaw.reserve(slice * job.request.slicesPerPass);
    slot.raw.reserve(slice * job.request.slicesPerPass);
    copyHost(slot.hostRaw.data(), job.sinograms.values.data() + (job.first + firstSlice) * slice, slice * slices);
    SINOSCOPE_CUDA(cudaMemcpyAsync(slot.raw.data(), slot.hostRaw.data(), slice * slices * sizeof(float),
                                   cudaMemcpyHostToDevice, upload.get()));
    slot.uploaded.record(upload.get());
}

// Small images don't fill the device: the projections are split among more blocks then. Without more
// knowledge, four blocks a multiprocessor hide the latencies.
void Pipeline::Impl::chooseSplits(const Kernels& kernels, KernelArguments& arguments)
{
    const int blocks = std::max(1, kernels.blocks(arguments)), projections = arguments.sinograms.projections;
    const int multiprocessors = properties.multiProcessorCount;
    if (const auto resident = kernels.resident) {
        // Blocks come in waves; each takes as long as its projections, and as some 24 more to begin and end.
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
    const Request& request = job.request;
    KernelArguments result;
    result.sinograms = {
        sinograms.data.data(), sinograms.pitchBytes, job.sinograms.bins, job.sinograms.projections, slices,
        request.precision};
    result.rays = rays.data();
    result.hostRays = hostRays.data();
    result.width = job.grid.width;
    result.height = job.grid.height;
    result.image = image;
    result.unscale = sinograms.unscale.data();
    result.interpolation = request.interpolation;
    result.oversampling = request.oversampling;
    result.textureEighths = request.textureEighths;
    result.counters = counters.data();
    result.multiprocessors = properties.multiProcessorCount;
    result.computeCapability = 10 * properties.major + properties.minor;
    result.aluVariant = aluVariantFromText(request.aluTuning);
    result.coarse = coarse(job);
    result.stream = compute.get();
    chooseSplits(kernels, result);
    return result;
}

void Pipeline::Impl::startKernels(const PipelineJob& job, Slot& slot, bool filtering)
{
    const Request& request = job.request;
    if (filtering) {
        SINOSCOPE_CUDA(cudaStreamWaitEvent(compute.get(), slot.uploaded.get()));
        slot.filterBegun.record(compute.get());
        if (byTensor(job))
            filter.runForTensor(slot.raw.data(), slot.slices, request.slicesPerPass, request.precision, slot.sinograms,
                                compute.get());
        else if (!job.method.kernel.tensorLayout)
            filter.run(slot.raw.data(), slot.slices, request.slicesPerPass, request.precision, slot.sinograms,
                       compute.get());
        slot.filtered.record(compute.get());
    }
    slot.image.reserve(static_cast<std::size_t>(job.grid.width) * job.grid.height * request.slicesPerPass);
    if (job.method.kernel.tensorLayout && coarse(job)) {
        slot.kernelBegun.record(compute.get());
        byAlu(job, slot);
        slot.kernelEnded.record(compute.get());
        return;
    }
    KernelArguments launch =
        arguments(job, job.method.kernel, slot.sinograms, request.slicesPerPass, slot.image.data());
    slot.texture.reset();
    if (!job.method.kernel.tensorLayout) {
        slot.texture.emplace(slot.sinograms.data.data(), slot.sinograms.pitchBytes, job.sinograms.bins,
                             job.sinograms.projections, request.slicesPerPass, request.precision == Precision::half,
                             request.interpolation == Interpolation::linear);
        launch.texture = slot.texture->get();
    }
    // CUDA loads a kernel when it is launched first, which takes longer than it runs: not in the time.
    if (launched.insert({job.method.id, request.interpolation, request.precision, request.slicesPerPass}).second)
        job.method.kernel.launch(launch);
    slot.kernelBegun.record(compute.get());
    job.method.kernel.launch(launch);
    slot.kernelEnded.record(compute.get());
}

// The slices of a pass through `alu`, four at once, from the raw rows.
void Pipeline::Impl::byAlu(const PipelineJob& job, Slot& slot)
{
    const std::size_t row = static_cast<std::size_t>(job.sinograms.projections) * job.sinograms.bins;
    const std::size_t pixels = static_cast<std::size_t>(job.grid.width) * job.grid.height;
    for (int first = 0; first < slot.slices; first += 4) {
        filter.run(slot.raw.data() + first * row, std::min(4, slot.slices - first), 4, job.request.precision,
                   aluSinograms, compute.get());
        aluKernels.launch(arguments(job, aluKernels, aluSinograms, 4, slot.image.data() + first * pixels));
    }
}

void Pipeline::Impl::copyDown(const PipelineJob& job, Slot& slot)
{
    const std::size_t values = static_cast<std::size_t>(job.grid.width) * job.grid.height * slot.slices;
    slot.hostImage.reserve(values);
    SINOSCOPE_CUDA(cudaStreamWaitEvent(download.get(), slot.kernelEnded.get()));
    SINOSCOPE_CUDA(cudaMemcpyAsync(slot.hostImage.data(), slot.image.data(), values * sizeof(float),
                                   cudaMemcpyDeviceToHost, download.get()));
}

void Pipeline::Impl::startDownload(const PipelineJob& job, Slot& slot)
{
    copyDown(job, slot);
    if (byTensor(job)) {
        slot.nonFinite.reserve(1);
        SINOSCOPE_CUDA(cudaMemcpyAsync(slot.nonFinite.data(), slot.sinograms.nonFinite.data(), sizeof(unsigned),
                                       cudaMemcpyDeviceToHost, download.get()));
    }
    slot.downloaded.record(download.get());
}

void Pipeline::Impl::mend(const PipelineJob& job, Slot& slot, PipelineTimes& times)
{
    times.mendedSlices += slot.slices;
    times.kernelSeconds += slot.kernelEnded.secondsSince(slot.kernelBegun);
    slot.kernelBegun.record(compute.get());
    byAlu(job, slot);
    slot.kernelEnded.record(compute.get());
    copyDown(job, slot);
    download.synchronize();
}

void Pipeline::Impl::finish(const PipelineJob& job, Slot& slot, PipelineTimes& times, bool filtering)
{
    if (slot.slices == 0)
        return;
    slot.downloaded.synchronize();
    if (byTensor(job) && *slot.nonFinite.data())
        mend(job, slot, times);
    if (filtering)
        times.filterSeconds += slot.filtered.secondsSince(slot.filterBegun);
    times.kernelSeconds += slot.kernelEnded.secondsSince(slot.kernelBegun);
    const std::size_t slice = static_cast<std::size_t>(job.grid.width) * job.grid.height;
    copyHost(job.image.values.data() + slot.firstSlice * slice, slot.hostImage.data(), slice * slot.slices);
    slot.slices = 0;
}

PipelineTimes Pipeline::Impl::runOnePass(const PipelineJob& job)
{
    const Request& request = job.request;
    const FilteredKey key{request.scan,      request.slices,        request.filter,
                          request.precision, request.slicesPerPass, job.method.kernel.tensorLayout};
    PipelineTimes times;
    times.filterReused = kept == key && byTensor(job) == job.method.kernel.tensorLayout;
    const double begin = now();
    Slot& slot = slots[0];
    if (!times.filterReused) {
        kept.reset();
        filter.prepare(request.filter, job.weights, job.sinograms.bins, compute.get());
        startUpload(job, slot, 0, request.slices.count);
    }
    slot.firstSlice = 0;
    slot.slices = request.slices.count;
    startKernels(job, slot, !times.filterReused);
    startDownload(job, slot);
    finish(job, slot, times, !times.filterReused);
    times.totalSeconds = now() - begin;
    if (times.filterReused) {
        times.filterSeconds = keptSeconds;
        times.totalSeconds += keptSeconds;
    } else if (byTensor(job) == job.method.kernel.tensorLayout) {
        kept = key;
        keptSeconds = times.filterSeconds;
    }
    return times;
}

PipelineTimes Pipeline::Impl::runPasses(const PipelineJob& job)
{
    const int count = job.request.slices.count, perPass = job.request.slicesPerPass;
    const int passes = (count + perPass - 1) / perPass;
    PipelineTimes times;
    const double begin = now();
    kept.reset();
    filter.prepare(job.request.filter, job.weights, job.sinograms.bins, compute.get());
    for (Slot& slot : slots)
        slot.slices = 0;
    for (int pass = 0; pass < passes; ++pass) {
        if (job.stop.stop_requested()) {
            compute.synchronize();
            download.synchronize();
            throw Error(ErrorKind::cancelled, "cancelled");
        }
        Slot& slot = slots[pass % 3];
        finish(job, slot, times, true); // its last pass
        startUpload(job, slot, pass * perPass, std::min(perPass, count - pass * perPass));
        startKernels(job, slot, true);
        startDownload(job, slot);
        if (job.progress)
            job.progress(static_cast<double>(pass) / passes);
    }
    for (int k = 0; k < 3; ++k)
        finish(job, slots[(passes + k) % 3], times, true);
    times.totalSeconds = now() - begin;
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

int Pipeline::deviceIndex() const
{
    return m_impl->device;
}
std::string Pipeline::deviceName() const
{
    return m_impl->properties.name;
}

PipelineTimes Pipeline::run(const PipelineJob& job)
{
    if (job.sinograms.projections > 65000)
        throw Error(ErrorKind::badRequest, std::to_string(job.sinograms.projections) +
                                               " projections are more than a GPU's texture holds (65000); choose cpu");
    m_impl->use();
    m_impl->setRays(job);
    return job.request.slices.count <= job.request.slicesPerPass ? m_impl->runOnePass(job) : m_impl->runPasses(job);
}

} // namespace engine::cuda
