// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backproject/plane/cuda/plane_pipeline.h"

#include "engine/backproject/plane/cuda/plane_job.h"
#include "engine/base/error.h"
#include "engine/base/stopwatch.h"
#include "engine/cuda/buffer.h"
#include "engine/cuda/host_copies.h"
#include "engine/cuda/stream.h"
#include "engine/data/half_scale.h"

#include <algorithm>
#include <bit>
#include <deque>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>

namespace engine::cuda
{

namespace
{

constexpr std::size_t uploadBytes = 128 << 20; // of the projections that are uploaded and stored together

// Projections in the device's memory.
struct HeldProjections {
    RowGroupTexture texture;
    TexturePart part;

    HeldProjections(const RowGroups& groups, int first, int count, bool half)
        : texture(groups, count, half), part{&texture, first, count, count}
    {
    }
};

// Key of the projections that the device holds.
struct HeldKey {
    FilteredKey filtered;
    Precision precision = Precision::single;
    bool operator==(const HeldKey&) const = default;
};

} // namespace

struct PlanePipeline::Impl {
    int device = 0, multiprocessors = 1;
    double memoryLimit = 0; // 0: none
    Stream compute;
    HostCopies uploads{HostCopies::Direction::toDevice}, downloads{HostCopies::Direction::toHost};
    struct Incoming { // two, used in turn
        DeviceBuffer<float> raw;
        Event used;
    } incoming[2];
    DeviceBuffer<unsigned> largest; // of each upload of a part
    DeviceBuffer<float> image;
    std::deque<HeldProjections> held; // a deque, because parts point to textures
    std::vector<float> unscale;       // of each projection of the scan
    std::optional<HeldKey> key;       // of `held`
    long long uploaded = 0;
    std::deque<PlaneTimer> kernelTimes;
    std::set<std::tuple<int, int, int>> loaded; // kernels, with the size of the image

    LaunchReport run(const PlaneJob& job);
    double bytesForTextures(const PlaneJob& job);
    void upload(const PlaneJob& job, const TexturePart& part);
    void startUpload(const PlaneJob& job, const TexturePart& part, int index);
    void store(const PlaneJob& job, const TexturePart& part, int index);
    void takeScales(const PlaneJob& job, const TexturePart& part);
    void add(const PlaneJob& job, const TexturePart& part);
    bool holdAll(const PlaneJob& job, double bytes);
    int addInPasses(const PlaneJob& job, double bytes);
    double kernelSeconds();
    void abandon() noexcept;
    PlaneTarget target() const
    {
        PlaneTarget target;
        target.values = image.data();
        target.multiprocessors = multiprocessors;
        target.stream = compute.get();
        return target;
    }
};

namespace
{

std::size_t valuesOfProjection(const PlaneJob& job)
{
    return static_cast<std::size_t>(job.groups.rows) * job.groups.bins;
}

// Returns how many projections an upload has.
int projectionsPerUpload(const PlaneJob& job, const TexturePart& part)
{
    const std::size_t fitting = uploadBytes / (sizeof(float) * valuesOfProjection(job));
    return static_cast<int>(std::clamp<std::size_t>(fitting, 1, part.count));
}

int uploadsOf(const PlaneJob& job, const TexturePart& part)
{
    const int each = projectionsPerUpload(job, part);
    return (part.count + each - 1) / each;
}

// Returns the projections of one upload.
RowRange projectionsOf(const PlaneJob& job, const TexturePart& part, int index)
{
    const int each = projectionsPerUpload(job, part), from = index * each;
    return {part.first + from, std::min(each, part.count - from)};
}

} // namespace

void PlanePipeline::Impl::startUpload(const PlaneJob& job, const TexturePart& part, int index)
{
    Incoming& slot = incoming[index % 2];
    const SinogramView& data = job.launch.sinograms;
    const RowRange range = projectionsOf(job, part, index);
    const std::size_t line = sizeof(float) * data.bins;
    slot.raw.reserve(valuesOfProjection(job) * projectionsPerUpload(job, part));
    uploads.start(reinterpret_cast<char*>(slot.raw.data()),
                  reinterpret_cast<const char*>(data.floats.data()) + range.first * line,
                  {line * range.count, line * data.projections, static_cast<std::size_t>(data.slices)}, slot.used);
    uploaded += range.count;
}

void PlanePipeline::Impl::store(const PlaneJob& job, const TexturePart& part, int index)
{
    Incoming& slot = incoming[index % 2];
    const RowRange range = projectionsOf(job, part, index);
    uploads.wait(compute.get());
    if (job.half)
        findLargest(slot.raw.data(), valuesOfProjection(job) * range.count, largest.data() + index, compute.get());
    PlaneStore store;
    store.filtered = slot.raw.data();
    store.projections = range.count;
    store.groups = job.groups;
    store.first = range.first - part.first;
    store.stackHeight = part.height;
    store.largest = largest.data() + index;
    store.half = job.half;
    store.surface = part.texture->surface();
    storeRowGroups(store, compute.get());
    slot.used.record(compute.get());
}

// Uploads the projections of a part and stores them in its texture.
void PlanePipeline::Impl::upload(const PlaneJob& job, const TexturePart& part)
{
    const int count = uploadsOf(job, part);
    largest.reserve(count);
    SINOSCOPE_CUDA(cudaMemsetAsync(largest.data(), 0, count * sizeof(unsigned), compute.get()));
    for (const Incoming& slot : incoming)
        slot.used.record(compute.get());
    startUpload(job, part, 0);
    for (int index = 0; index < count; ++index) {
        store(job, part, index);
        throwIfStopped(job.launch.stop);
        if (index + 1 < count) // while the device stores this one
            startUpload(job, part, index + 1);
    }
    takeScales(job, part);
}

void PlanePipeline::Impl::takeScales(const PlaneJob& job, const TexturePart& part)
{
    unscale.resize(job.launch.sinograms.projections, 1.0F);
    std::vector<unsigned> bits(uploadsOf(job, part));
    SINOSCOPE_CUDA(cudaMemcpyAsync(bits.data(), largest.data(), bits.size() * sizeof(unsigned), cudaMemcpyDeviceToHost,
                                   compute.get()));
    compute.synchronize();
    for (int index = 0; index < static_cast<int>(bits.size()); ++index) {
        const RowRange range = projectionsOf(job, part, index);
        const float factor = job.half ? static_cast<float>(1 / halfScaleFor(std::bit_cast<float>(bits[index]))) : 1.0F;
        std::fill_n(unscale.begin() + range.first, range.count, factor);
    }
}

void PlanePipeline::Impl::add(const PlaneJob& job, const TexturePart& part)
{
    // CUDA loads a kernel at its first launch, which takes longer than the kernel itself. An extra launch keeps the
    // loading out of the measured time; it has no projections, so that it adds nothing to the image.
    const Plane& plane = *job.launch.plane;
    if (loaded.insert({job.kernel(), plane.width, plane.height}).second)
        job.load(part, target());
    const int all = job.launch.sinograms.projections;
    job.addPart(part, unscale, target(), [&](int first) -> const PlaneTimer& {
        // Runs ahead by one kernel at most, so that a stop takes effect soon.
        if (kernelTimes.size() > 1)
            kernelTimes[kernelTimes.size() - 2].ended.synchronize();
        throwIfStopped(job.launch.stop);
        if (job.launch.progress)
            job.launch.progress(static_cast<double>(first) / all);
        return kernelTimes.emplace_back();
    });
}

// Returns the bytes that textures may take, once the memory for uploads and the image is reserved.
double PlanePipeline::Impl::bytesForTextures(const PlaneJob& job)
{
    const int all = job.launch.sinograms.projections;
    const std::size_t values =
        valuesOfProjection(job) * projectionsPerUpload(job, {.first = 0, .count = all, .height = all});
    for (Incoming& slot : incoming)
        slot.raw.reserve(values);
    std::size_t free = 0, total = 0;
    SINOSCOPE_CUDA(cudaMemGetInfo(&free, &total));
    const double usable = 0.9 * static_cast<double>(free);
    return memoryLimit > 0 ? std::min(usable, memoryLimit) : usable;
}

// Uploads all projections, if they fit; they stay in the device's memory. Returns whether they do.
bool PlanePipeline::Impl::holdAll(const PlaneJob& job, double bytes)
{
    const int all = job.launch.sinograms.projections, most = job.groups.mostProjections();
    double needed = 0;
    for (int first = 0; first < all; first += most)
        needed += static_cast<double>(job.groups.bytes(std::min(most, all - first), job.half));
    if (needed > bytes)
        return false;
    for (int first = 0; first < all; first += most)
        held.emplace_back(job.groups, first, std::min(most, all - first), job.half);
    for (const HeldProjections& projections : held)
        upload(job, projections.part);
    return true;
}

// Uploads and adds as many projections at a time as fit. Returns the number of passes.
int PlanePipeline::Impl::addInPasses(const PlaneJob& job, double bytes)
{
    const int all = job.launch.sinograms.projections;
    const double tile = static_cast<double>(job.groups.bytes(8, job.half)); // of 8 projections
    const int most = std::min(job.groups.mostProjections(), all);
    const int fitting = std::clamp(8 * static_cast<int>(std::min(bytes / tile, 1e6)), 1, most);
    const HeldProjections& projections = held.emplace_back(job.groups, 0, fitting, job.half);
    int passes = 0;
    for (int first = 0; first < all; first += fitting, ++passes) {
        TexturePart part = projections.part;
        part.first = first;
        part.count = std::min(fitting, all - first);
        upload(job, part); // waits until the kernels of the previous pass have ended, as they use the same stream
        add(job, part);
    }
    compute.synchronize();
    held.clear();
    return passes;
}

double PlanePipeline::Impl::kernelSeconds()
{
    double seconds = 0;
    for (const PlaneTimer& time : kernelTimes)
        seconds += time.ended.secondsSince(time.begun);
    kernelTimes.clear();
    return seconds;
}

LaunchReport PlanePipeline::Impl::run(const PlaneJob& job)
{
    const Stopwatch watch;
    LaunchReport report;
    const std::size_t pixels = job.launch.image.values.size();
    image.reserve(pixels);
    SINOSCOPE_CUDA(cudaMemsetAsync(image.data(), 0, pixels * sizeof(float), compute.get()));
    std::optional<HeldKey> wanted;
    if (job.launch.filteredKey)
        wanted = HeldKey{*job.launch.filteredKey, job.launch.kernel.precision};
    int passes = 1;
    bool holdsAll = wanted && key == wanted;
    if (!holdsAll) {
        key.reset();
        held.clear();
        const double bytes = bytesForTextures(job);
        holdsAll = holdAll(job, bytes);
        if (holdsAll)
            key = wanted;
        else
            passes = addInPasses(job, bytes);
    }
    for (const HeldProjections& projections : held)
        add(job, projections.part);
    const Event end;
    end.record(compute.get());
    downloads.start(job.launch.image.values.data(), image.data(), pixels, end);
    downloads.wait();
    if (!key)
        held.clear();
    report.kernelSeconds = kernelSeconds();
    if (passes > 1)
        report.notes.push_back("The GPU's memory holds only a part of the projections at a time: they were added in " +
                               std::to_string(passes) + " parts, which are uploaded for each plane.");
    report.totalSeconds = watch.seconds();
    return report;
}

// Stops all work. Afterwards nothing uses the job, or memory that the next job may reallocate.
void PlanePipeline::Impl::abandon() noexcept
{
    uploads.abandon();
    downloads.abandon();
    cudaStreamSynchronize(compute.get());
    kernelTimes.clear();
    if (!key)
        held.clear();
}

PlanePipeline::PlanePipeline(int deviceIndex)
{
    SINOSCOPE_CUDA(cudaSetDevice(deviceIndex));
    m_impl = std::make_unique<Impl>();
    m_impl->device = deviceIndex;
    SINOSCOPE_CUDA(cudaDeviceGetAttribute(&m_impl->multiprocessors, cudaDevAttrMultiProcessorCount, deviceIndex));
}

PlanePipeline::~PlanePipeline()
{
    cudaSetDevice(m_impl->device);
}

int PlanePipeline::deviceIndex() const
{
    return m_impl->device;
}

void PlanePipeline::dropOthers(const Scan* scan)
{
    if (!m_impl->key || m_impl->key->filtered.prepared.scan.get() == scan)
        return;
    cudaSetDevice(m_impl->device);
    m_impl->key.reset();
    m_impl->held.clear();
}

long long PlanePipeline::uploadedProjections() const
{
    return m_impl->uploaded;
}

void PlanePipeline::limitMemory(double bytes)
{
    m_impl->memoryLimit = bytes;
}

LaunchReport PlanePipeline::run(const LaunchArguments& arguments)
{
    SINOSCOPE_CUDA(cudaSetDevice(m_impl->device));
    const PlaneJob job(arguments);
    try {
        return m_impl->run(job);
    } catch (...) {
        m_impl->abandon();
        throw;
    }
}

} // namespace engine::cuda
