// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/volume/reconstruct_volume.h"

#include "engine/backends/devices.h"
#include "engine/backends/method.h"
#include "engine/base/blocking_queue.h"
#include "engine/base/bound_thread.h"
#include "engine/base/error.h"
#include "engine/base/first_error.h"
#include "engine/base/giga_updates.h"
#include "engine/base/note.h"
#include "engine/base/parallel_for.h"
#include "engine/base/start_thread.h"
#include "engine/base/stopwatch.h"
#include "engine/reconstruct/reconstruct.h"
#include "engine/resolve/resolve.h"
#include "engine/stages/stages.h"
#include "engine/volume/part_queue.h"

#include <algorithm>
#include <deque>
#include <iterator>
#include <mutex>
#include <numeric>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

namespace engine
{

namespace
{

// Returns the groups that are left to do. They are the same groups as when nothing is done yet, so that each slice is
// reconstructed in the same group.
std::vector<RowRange> groupsLeft(const Request& request, const VolumePlan& plan, int done)
{
    std::vector<RowRange> groups = groupsOf(request.place.slices(), plan, passOf(request));
    const int first = request.place.slices().first + done;
    std::erase_if(groups, [first](const RowRange& group) { return group.first < first; });
    require(!groups.empty() && groups.front().first == first,
            "the " + std::to_string(done) + " finished slices don't end at the end of a group");
    return groups;
}

// Returns the request for one of the devices that share its slices, or for the processor in place of all of them.
Request requestOn(const DeviceSettings& device, const Plan& whole, bool sharing = true)
{
    Request own = whole.request;
    own.resources.others.clear();
    own.resources.device = device;
    const bool isNamed = own.setting.kernel.method != "auto";
    if (!isProcessor(device) || (isNamed && whole.method->backend->isProcessor))
        return own;
    Request onProcessor = own;
    const Method* instead = processorMethodFor(onProcessor);
    require(instead, "the processor has no method for this request; leave it out of the devices");
    own.setting.kernel.method = instead->id;
    own.setting.kernel.slicesPerPass = onProcessor.setting.kernel.slicesPerPass;
    const auto isGpu = [](const DeviceSettings& one) { return !isProcessor(one); };
    const bool isBesideGpus = sharing && std::ranges::any_of(devicesOf(whole.request.resources), isGpu);
    if (isBesideGpus && own.resources.threads == 0) // the other half of the threads reads, writes and feeds the GPUs
        own.resources.threads = std::max(1, oneapi::tbb::info::default_concurrency() / 2);
    return own;
}

// A device, with one thread that prepares rows for it and one that waits for it.
struct Worker {
    int number = 0;
    Plan plan; // of the whole request, on this device
    Reconstructor reconstructor;
    DeviceShare share;
    double underWay = 0; // finished slices of its current group

    const DeviceSettings& device() const { return plan.request.resources.device; }
};

// Recorded rows whose preparation has begun, or prepared rows.
struct ReadyRows {
    int part = 0;
    std::variant<RecordedRows, PreparedRows> rows;
};

class VolumeRun
{
  public:
    VolumeRun(const Request& request, const VolumePlan& plan, const WriteGroup& write, const VolumeProgress& progress,
              const std::stop_token& stop, int done)
        : m_whole(resolve(inPairs(request))), m_request(m_whole.request), m_plan(plan), m_write(write),
          m_progress(progress), m_errors(stop), m_done(done), m_groups(groupsLeft(m_request, plan, done)),
          m_queue(sizesOf(m_groups), slownessOf(request.resources, plan))
    {
        m_sum.request = request;
        m_sum.request.resources.memoryLimitBytes = plan.limitBytes;
        const std::vector<DeviceSettings> devices = devicesFor(request.resources, plan);
        for (const DeviceSettings& device : devices) {
            Worker& worker = m_workers.emplace_back();
            worker.number = static_cast<int>(m_workers.size()) - 1;
            worker.plan = devices.size() == 1 ? m_whole : resolve(requestOn(device, m_whole));
            if (worker.number > 0)
                worker.reconstructor = m_workers.front().reconstructor.beside();
        }
    }

    Reconstruction run()
    {
        const Stopwatch watch;
        if (m_request.place.plane())
            m_errors.guard([this] { write(reconstructPlane()); });
        else if (m_plan.overlapped)
            overlap();
        else
            m_errors.guard([this] {
                planFilters();
                for (int part = 0; part < static_cast<int>(m_groups.size()); ++part)
                    write(reconstruct(m_workers.front(), ready(m_workers.front(), part, read(part), stop()), stop()));
            });
        m_errors.rethrow();
        finish(watch.seconds());
        return std::move(m_sum);
    }

  private:
    static std::vector<int> sizesOf(const std::vector<RowRange>& groups)
    {
        std::vector<int> sizes;
        for (const RowRange& slices : groups)
            sizes.push_back(slices.count);
        return sizes;
    }

    static std::vector<DeviceSettings> devicesFor(const Resources& resources, const VolumePlan& plan)
    {
        std::vector<DeviceSettings> devices = devicesOf(resources);
        devices.resize(static_cast<std::size_t>(plan.workers));
        return devices;
    }

    // Returns the assumed slowness of the devices. A processor beside GPUs waits until their speed is known, unless
    // these are of a backend whose devices may be as slow as the processor.
    static std::vector<double> slownessOf(const Resources& resources, const VolumePlan& plan)
    {
        const std::vector<DeviceSettings> devices = devicesFor(resources, plan);
        const bool isBesideFast = std::ranges::any_of(devices, [](const DeviceSettings& one) {
            return one.isAutomatic() || (!isProcessor(one) && backendOf(one).isAutomatic);
        });
        const double ofProcessor = isBesideFast ? 30 : 3;
        std::vector<double> slowness;
        for (const DeviceSettings& device : devices)
            slowness.push_back(isProcessor(device) ? ofProcessor : 1);
        return slowness;
    }

    std::stop_token stop() const { return m_errors.token(); }

    Request part(const Request& of, int part) const
    {
        Request own = of;
        own.place.setSlices(m_groups[static_cast<std::size_t>(part)]);
        return own;
    }

    void overlap()
    {
        std::vector<std::jthread> stages; // if a thread can't be started, m_errors stops the others
        const auto inThread = [&](auto stage) {
            stages.push_back(startThread([this, stage] { m_errors.guard(stage); }));
        };
        m_errors.guard([&] {
            // Otherwise a failing push_back() would wait for the new thread before the others are stopped.
            stages.reserve(m_workers.size() + 1);
            inThread([this] {
                while (const auto part = m_queue.nextToRead(stop()))
                    m_queue.give(*part, read(*part), stop());
            });
            inThread([this] {
                for (std::size_t k = 0; k < m_groups.size(); ++k)
                    write(m_queue.next(stop()));
            });
            for (std::size_t k = 1; k < m_workers.size(); ++k)
                inThread([this, k] { work(m_workers[k]); });
        });
        m_errors.guard([&] { work(m_workers.front()); });
    }

    // Runs until all groups are done, or until the worker's device has failed and other workers are left.
    void work(Worker& worker)
    {
        while (const std::optional<Error> failure = makeGroups(worker)) {
            const bool isLast = m_queue.fail(worker.number) == 0;
            if (isLast && isProcessor(worker.device()))
                throw *failure;
            DeviceShare& share = worker.share;
            if (share.device.empty())
                share.device = toText(worker.device());
            share.failure = share.device + " failed: " + failure->what() +
                            (isLast ? "; the processor took over." : "; the others took over its slices.");
            if (!isLast)
                return;
            {
                const std::lock_guard lock(m_progressMutex);
                m_failed.push_back(std::exchange(share, {}));
                worker.underWay = 0;
            }
            worker.plan = resolve(requestOn({processorBackend().id, 0}, m_whole, false));
            worker.reconstructor = worker.reconstructor.beside();
            m_queue.revive(worker.number);
        }
    }

    // Returns the error that stopped the worker, if others can take over its groups; throws other errors.
    std::optional<Error> makeGroups(Worker& worker)
    {
        const BoundThread bound(processorsNear(worker)); // also binds the threads that this thread starts
        std::optional<Error> failure;
        FirstError errors(stop());
        BlockingQueue<std::optional<ReadyRows>> ready;
        {
            std::jthread preparing = startThread([&] {
                errors.guard([&] {
                    while (auto taken = m_queue.take(worker.number, errors.token()))
                        ready.give(this->ready(worker, taken->part, std::move(taken->rows), errors.token()),
                                   errors.token());
                    ready.give(std::nullopt, errors.token());
                });
            });
            errors.guard([&] {
                if (worker.number == 0)
                    planFilters(); // while the first rows are read and prepared
                while (auto rows = ready.take(errors.token())) {
                    const int part = rows->part;
                    m_queue.setDown(worker.number, part, reconstruct(worker, std::move(*rows), errors.token()),
                                    errors.token());
                }
            });
        }
        try {
            errors.rethrow();
        } catch (const Error& error) {
            const bool failed = error.kind() == ErrorKind::device || error.kind() == ErrorKind::noMemory;
            const bool isList = m_workers.size() > 1 || m_request.resources.device.index == DeviceSettings::all;
            if (!failed || !isList)
                throw;
            failure = error;
        }
        return failure;
    }

    // Returns the processors near the worker's GPU, for machines whose GPUs are at different sockets; else an empty
    // text.
    std::string processorsNear(const Worker& worker) const
    {
        const Device* gpu = m_workers.size() > 1 ? deviceFor(*worker.plan.method->backend, worker.device()) : nullptr;
        return gpu ? gpu->processors : std::string();
    }

    void planFilters() const
    {
        if (m_whole.route.filtersOnDevice)
            return;
        planFilter(m_request.scan->bins(), m_whole.route.precision,
                   static_cast<std::size_t>(m_request.place.slices().count) * projectionsOf(m_request));
    }

    RecordedRows read(int part)
    {
        if (part == 0)
            report(m_groups.front(), Stage::read);
        const Stopwatch watch;
        RawRows raw = engine::read(m_request, preparedKey(this->part(m_request, part)).rows, stop());
        return {m_request.scan, std::make_shared<const RawRows>(std::move(raw)), watch.seconds(),
                m_request.place.projections};
    }

    ReadyRows ready(const Worker& worker, int part, RecordedRows given, const std::stop_token& stop) const
    {
        RecordedRows recorded = std::move(given); // freed when the prepared rows are handed on
        if (worker.plan.route.mayPrepareOnDevice) {
            startPreparation(worker.plan.request, recorded, stop);
            return {part, std::move(recorded)};
        }
        const RowRange rows = preparedKey(this->part(m_request, part)).rows;
        return {part, engine::prepare(worker.plan.request, *recorded.raw, rows, recorded.readSeconds, stop)};
    }

    Reconstruction reconstruct(Worker& worker, ReadyRows ready, const std::stop_token& stop)
    {
        const Request part = this->part(worker.plan.request, ready.part);
        const RowRange& slices = part.place.slices();
        std::visit([&](auto& rows) { worker.reconstructor.take(std::move(rows)); }, ready.rows);
        const auto onProgress = [&](Stage stage, double fraction) {
            // Filtering takes a tenth of the time or less.
            const double done = stage == Stage::backproject ? 0.1 + 0.9 * fraction
                                : stage == Stage::filter    ? 0.1 * fraction
                                                            : 0;
            report(slices, stage, &worker, done * slices.count);
        };
        Reconstruction made = worker.reconstructor.run(part, onProgress, stop);
        worker.reconstructor.take(PreparedRows{}); // frees its rows for the next group
        count(worker, made, slices.count);
        return made;
    }

    // The reconstructor reads the rows, too.
    Reconstruction reconstructPlane()
    {
        Worker& worker = m_workers.front();
        const auto onProgress = [&](Stage stage, double fraction) {
            report(m_groups.front(), stage, &worker, fraction);
        };
        Reconstruction made = worker.reconstructor.run(worker.plan.request, onProgress, stop());
        count(worker, made, 1);
        return made;
    }

    void count(Worker& worker, const Reconstruction& made, int slices)
    {
        const std::lock_guard lock(m_progressMutex);
        worker.share.device = made.device;
        worker.share.slices += slices;
        worker.share.kernelSeconds += made.timings.kernelSeconds;
        worker.share.totalSeconds += made.timings.totalSeconds;
        worker.underWay = 0;
        m_made += slices;
    }

    void write(Reconstruction made)
    {
        const Stopwatch watch;
        tbb::task_arena arena = arenaOf(m_request.resources.threads);
        arena.execute([&] { m_write(made, stop()); });
        add(made, watch.seconds());
    }

    // underWay: finished slices of the worker's current group.
    void report(const RowRange& group, Stage stage, Worker* worker = nullptr, double underWay = 0)
    {
        if (!m_progress)
            return;
        const std::lock_guard lock(m_progressMutex);
        if (worker)
            worker->underWay = underWay;
        double slices = m_done + m_made;
        for (const Worker& one : m_workers)
            slices += one.underWay;
        m_progress(slices / m_request.place.slices().count, {sliceAt(m_request.place, group.first), group.count},
                   stage);
    }

    // Called by a single thread: the writer.
    void add(const Reconstruction& part, double writeSeconds)
    {
        Timings& sum = m_sum.timings;
        sum.read.seconds += part.timings.read.seconds;
        sum.prepare.seconds += part.timings.prepare.seconds;
        if (!part.timings.axis.reused) // it is found only once
            sum.axis.seconds += part.timings.axis.seconds;
        sum.filter.seconds += part.timings.filter.seconds;
        sum.kernelSeconds += part.timings.kernelSeconds;
        sum.uploadSeconds += part.timings.uploadSeconds;
        sum.downloadSeconds += part.timings.downloadSeconds;
        sum.backprojectSeconds += part.timings.backprojectSeconds;
        sum.writeSeconds += writeSeconds;
        sum.totalSeconds += part.timings.totalSeconds;
        m_sum.method = part.method;
        m_sum.device = part.device;
        m_sum.texelsPerSecond = part.texelsPerSecond;
        m_sum.axisBins = part.axisBins;
        m_sum.axisSource = part.axisSource;
        m_sum.axisHow = part.axisHow;
        m_sum.axisConfidence = part.axisConfidence;
        m_sum.axisDoubt = part.axisDoubt;
        m_sum.grid = m_whole.section.grid;
        m_sum.grid.slices = m_request.place.slices().count;
        m_sum.unit = part.unit;
        addNotes(m_sum.notes, part.notes);
        addDoubts(m_sum.doubts, part.doubts);
        // All projections of these rows are empty.
        if (static_cast<int>(part.emptyProjections.size()) == projectionsOf(m_request)) {
            m_emptySlices += part.request.place.slices().count;
            return;
        }
        m_hasFullSlices = true;
        std::vector<int> empty; // empty in any of the groups
        std::ranges::set_union(m_sum.emptyProjections, part.emptyProjections, std::back_inserter(empty));
        m_sum.emptyProjections = std::move(empty);
    }

    void finish(double elapsedSeconds)
    {
        Timings& times = m_sum.timings;
        times.elapsedSeconds = elapsedSeconds;
        if (const auto& reason = m_whole.route.whyNotOnDevice)
            m_sum.notes.push_back(*reason);
        if (m_emptySlices > 0 && m_hasFullSlices) {
            m_sum.notes.push_back(std::to_string(m_emptySlices) + (m_emptySlices == 1 ? " slice has" : " slices have") +
                                  " only empty projections in the detector rows needed.");
        } else if (m_emptySlices > 0) {
            m_sum.emptyProjections.resize(projectionsOf(m_request));
            const int first = m_request.place.projections.value_or(RowRange{0, 0}).first;
            std::iota(m_sum.emptyProjections.begin(), m_sum.emptyProjections.end(), first);
        }
        m_sum.grid.slices -= m_done;
        setFigures(m_sum);
        m_sum.grid.slices += m_done;
        if (m_workers.size() > 1 || !m_failed.empty())
            share();
        const std::size_t devices = devicesOf(m_request.resources).size();
        if (devices > m_workers.size() && m_plan.overlapped)
            m_sum.notes.push_back("The memory limit leaves room for " + std::to_string(m_workers.size()) + " of " +
                                  std::to_string(devices) + " devices at a time.");
    }

    // Fills the shares of the devices. They work simultaneously, so their rates are added, not their seconds.
    void share()
    {
        m_sum.device.clear();
        m_sum.kernelGups = m_sum.totalGups = m_sum.texturePeakShare = 0;
        const double updates = double(m_sum.grid.width) * m_sum.grid.height * projectionsOf(m_request);
        for (const Worker& worker : m_workers)
            m_failed.push_back(worker.share);
        for (DeviceShare& share : m_failed) {
            share.kernelGups = gigaUpdatesPerSecond(updates * share.slices, 1, share.kernelSeconds);
            share.totalGups = gigaUpdatesPerSecond(updates * share.slices, 1, share.totalSeconds);
            m_sum.kernelGups += share.kernelGups;
            m_sum.totalGups += share.totalGups;
            m_sum.device += (m_sum.device.empty() ? "" : "; ") + share.device;
            if (!share.failure.empty())
                m_sum.notes.push_back(share.failure);
        }
        std::erase_if(m_failed, [](const DeviceShare& share) { return share.slices == 0 && share.failure.empty(); });
        m_sum.shares = std::move(m_failed);
    }

    const KeptBuffers m_buffers; // for the buffers of all groups
    const Plan m_whole;
    const Request& m_request; // of m_whole
    const VolumePlan m_plan;
    const WriteGroup& m_write;
    const VolumeProgress& m_progress;
    FirstError m_errors;
    const int m_done; // slices of an earlier run
    const std::vector<RowRange> m_groups;
    PartQueue<RecordedRows, Reconstruction> m_queue;
    std::deque<Worker> m_workers;
    std::mutex m_progressMutex;        // also for the counts of the workers
    int m_made = 0;                    // slices
    std::vector<DeviceShare> m_failed; // of workers that another device replaced
    Reconstruction m_sum;
    int m_emptySlices = 0; // slices whose rows are empty in all projections
    bool m_hasFullSlices = false;
};

} // namespace

Reconstruction reconstructVolume(const Request& request, const VolumePlan& plan, const WriteGroup& write,
                                 const VolumeProgress& progress, std::stop_token stop, int done)
{
    return VolumeRun(request, plan, write, progress, stop, done).run();
}

SlowestStage slowestStage(const Reconstruction& made, std::size_t bytesPerValue)
{
    const Timings& times = made.timings;
    const Scan& scan = *made.request.scan;
    const double read = double(scan.bytesPerSample) * projectionsOf(made.request) * scan.bins() *
                        rowsFor(scan.geometry, sectionOf(made.request).needed).count;
    const double images = double(bytesPerValue) * made.grid.width * made.grid.height * made.grid.slices;
    double computing = made.shares.empty() ? times.totalSeconds : 0; // several devices compute simultaneously
    for (const DeviceShare& share : made.shares)
        computing = std::max(computing, share.totalSeconds);
    const SlowestStage stages[] = {
        {"reading", times.read.seconds, read / times.read.seconds},
        {"preparing", times.prepare.seconds, read / times.prepare.seconds},
        {"filter and back-projection", computing, made.totalGups * 1e9, "U"},
        {"writing", times.writeSeconds, images / times.writeSeconds, "B", true},
    };
    return *std::ranges::max_element(stages, {}, &SlowestStage::seconds);
}

} // namespace engine
