// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/cuda/plane/plane_pipeline.h"

#include "engine/backends/cuda/device/buffer.h"
#include "engine/backends/cuda/device/host_copies.h"
#include "engine/backends/cuda/device/stream.h"
#include "engine/backends/cuda/plane/plane_sum.h"
#include "engine/backends/cuda/plane/row_group_filler.h"
#include "engine/base/error.h"
#include "engine/base/stopwatch.h"

#include <algorithm>
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

// Projections in the device's memory.
struct HeldProjections {
    RowGroupMemory memory;
    StoredPart part;

    HeldProjections(const RowGroups& groups, int first, int count, bool half)
        : memory(groups, count, half), part{&memory, first, count}
    {
    }
};

// Key of the projections that the device holds.
struct HeldKey {
    FilteredKey filtered;
    Precision precision = Precision::single;
    bool filteredHere = false; // by this GPU, which rounds differently from a processor
    bool operator==(const HeldKey&) const = default;
};

std::optional<HeldKey> keyOf(const PlaneSum& job)
{
    if (!job.launch.filteredKey)
        return std::nullopt;
    return HeldKey{*job.launch.filteredKey, job.launch.kernel.precision, job.launch.filter.has_value()};
}

} // namespace

struct PlanePipeline::Impl {
    int device = 0, multiprocessors = 1;
    double memoryLimit = 0; // 0: none
    std::function<bool()> freeOthers;
    Stream compute;
    RowGroupFiller filler{compute.get()};
    HostCopies downloads{HostCopies::Direction::toHost};
    DeviceBuffer<float> image;
    std::deque<HeldProjections> held;                     // a deque, because parts point to memory
    std::vector<float> unscale;                           // of each projection of the scan
    std::optional<HeldKey> key;                           // of `held`
    double heldPrepareSeconds = 0, heldFilterSeconds = 0; // for preparing and filtering `held`
    DeviceTimer kernelTimes;
    std::set<std::tuple<int, int, int>> loaded; // kernels, with the size of the image

    LaunchReport run(const PlaneSum& job);
    int fillAndAdd(const PlaneSum& job);
    double bytesForProjections() const;
    void add(const PlaneSum& job, const StoredPart& part);
    bool holdAll(const PlaneSum& job, double bytes);
    int addInPasses(const PlaneSum& job, double bytes);
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

void PlanePipeline::Impl::add(const PlaneSum& job, const StoredPart& part)
{
    // CUDA loads a kernel at its first launch, which takes longer than the kernel itself. An extra launch keeps the
    // loading out of the measured time; it has no projections, so that it adds nothing to the image.
    const Plane& plane = *job.launch.plane;
    if (loaded.insert({job.kernel(), plane.width, plane.height}).second)
        job.load(part, target());
    const int all = job.launch.sinograms.projections;
    job.addPart(part, unscale, target(), [&](int first) -> const DeviceTimer::Span& {
        // Runs ahead by one kernel at most, so that a stop takes effect soon.
        if (kernelTimes.size() > 1)
            kernelTimes.last(1).ended.synchronize();
        throwIfStopped(job.launch.stop);
        if (job.launch.progress)
            job.launch.progress(static_cast<double>(first) / all);
        return kernelTimes.next();
    });
}

// Returns the bytes that projections may take, once all other memory is allocated.
double PlanePipeline::Impl::bytesForProjections() const
{
    std::size_t free = 0, total = 0;
    SINOSCOPE_CUDA(cudaMemGetInfo(&free, &total));
    const double usable = 0.9 * static_cast<double>(free);
    return memoryLimit > 0 ? std::min(usable, memoryLimit) : usable;
}

// Stores all projections, if they fit; they stay in the device's memory. Returns whether they do.
bool PlanePipeline::Impl::holdAll(const PlaneSum& job, double bytes)
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
        filler.fill(job, projections.part, unscale);
    return true;
}

// Stores and adds as many projections at a time as fit. Returns the number of passes.
int PlanePipeline::Impl::addInPasses(const PlaneSum& job, double bytes)
{
    const int all = job.launch.sinograms.projections;
    const double one = static_cast<double>(job.groups.bytes(1, job.half));
    const int most = std::min(job.groups.mostProjections(), all);
    const int fitting = std::clamp(static_cast<int>(std::min(bytes / one, 1e6)), 1, most);
    const HeldProjections& projections = held.emplace_back(job.groups, 0, fitting, job.half);
    int passes = 0;
    for (int first = 0; first < all; first += fitting, ++passes) {
        StoredPart part = projections.part;
        part.first = first;
        part.count = std::min(fitting, all - first);
        filler.fill(job, part, unscale); // after the kernels of the previous pass, as they use the same stream
        add(job, part);
    }
    compute.synchronize();
    held.clear();
    return passes;
}

// Takes the launch's projections into the device's memory, and keeps them there if they fit and have a key; otherwise
// adds them to the image already. Returns the number of passes; 0 if the device can't prepare them.
int PlanePipeline::Impl::fillAndAdd(const PlaneSum& job)
{
    key.reset();
    held.clear();
    unscale.assign(job.launch.sinograms.projections, 1.0F);
    filler.begin(job);
    const bool areHeld = holdAll(job, bytesForProjections()) || (freeOthers() && holdAll(job, bytesForProjections()));
    const int passes = areHeld ? 1 : addInPasses(job, bytesForProjections());
    if (filler.rows().finish()) {
        held.clear();
        return 0;
    }
    if (!held.empty())
        key = keyOf(job);
    heldPrepareSeconds = filler.rows().prepareTimes().take();
    heldFilterSeconds = filler.rows().filterTimes().take();
    return passes;
}

LaunchReport PlanePipeline::Impl::run(const PlaneSum& job)
{
    const Stopwatch watch;
    LaunchReport report;
    const std::size_t pixels = job.launch.image.values.size();
    image.reserve(pixels);
    SINOSCOPE_CUDA(cudaMemsetAsync(image.data(), 0, pixels * sizeof(float), compute.get()));
    const bool isHeld = key && key == keyOf(job);
    const int passes = isHeld ? 1 : fillAndAdd(job);
    if (passes == 0) {
        kernelTimes.clear();
        report.unprepared = true;
        return report;
    }
    for (const HeldProjections& projections : held)
        add(job, projections.part);
    const Event end;
    end.record(compute.get());
    downloads.start(job.launch.image.values.data(), image.data(), pixels, end);
    downloads.wait();
    if (!key)
        held.clear();
    report.kernelSeconds = kernelTimes.take();
    if (passes > 1)
        report.notes.push_back("The GPU's memory holds only a part of the projections at a time: they were added in " +
                               std::to_string(passes) + " parts, which are uploaded for each plane.");
    report.totalSeconds = watch.seconds();
    if (job.launch.filter) {
        report.filterReused = isHeld;
        report.prepareSeconds = job.launch.preparation ? heldPrepareSeconds : 0;
        report.filterSeconds = heldFilterSeconds;
        report.totalSeconds += isHeld ? heldFilterSeconds : 0;
    }
    return report;
}

// Stops all work. Afterwards nothing uses the job, or memory that the next job may reallocate.
void PlanePipeline::Impl::abandon() noexcept
{
    filler.rows().abandon();
    downloads.abandon();
    cudaStreamSynchronize(compute.get());
    kernelTimes.clear();
    if (!key)
        held.clear();
}

PlanePipeline::PlanePipeline(int deviceIndex, std::function<bool()> freeOthers)
{
    SINOSCOPE_CUDA(cudaSetDevice(deviceIndex));
    m_impl = std::make_unique<Impl>();
    m_impl->device = deviceIndex;
    m_impl->freeOthers = std::move(freeOthers);
    SINOSCOPE_CUDA(cudaDeviceGetAttribute(&m_impl->multiprocessors, cudaDevAttrMultiProcessorCount, deviceIndex));
}

PlanePipeline::~PlanePipeline()
{
    cudaSetDevice(m_impl->device);
}

bool PlanePipeline::holds(const FilteredKey& filtered, Precision precision) const
{
    return m_impl->key == HeldKey{filtered, precision, true};
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
    return m_impl->filler.rows().uploadedProjections();
}

void PlanePipeline::limitMemory(double bytes)
{
    m_impl->memoryLimit = bytes;
}

LaunchReport PlanePipeline::run(const LaunchArguments& arguments)
{
    SINOSCOPE_CUDA(cudaSetDevice(m_impl->device));
    const PlaneSum job(arguments);
    try {
        return m_impl->run(job);
    } catch (...) {
        m_impl->abandon();
        throw;
    }
}

} // namespace engine::cuda
