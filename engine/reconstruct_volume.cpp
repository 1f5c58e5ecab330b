#include "engine/reconstruct_volume.h"

#include "engine/backproject/method.h"
#include "engine/error.h"
#include "engine/hand_over.h"
#include "engine/parallel_for.h"
#include "engine/reconstruct.h"
#include "engine/stages.h"
#include "engine/start_thread.h"
#include "engine/stopwatch.h"

#include <algorithm>
#include <exception>
#include <iterator>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace engine
{

namespace
{

// The first error of several threads; it stops all of them.
class FirstError
{
  public:
    explicit FirstError(const std::stop_token& outer) : m_outer(outer, Stop{this}) {}

    std::stop_token token() const { return m_stop.get_token(); }

    // Runs a stage; what it throws is kept when it is the first.
    template <typename Stage>
    void guard(const Stage& stage)
    {
        try {
            stage();
        } catch (...) {
            const std::lock_guard lock(m_mutex);
            if (!m_error)
                m_error = std::current_exception();
            m_stop.request_stop();
        }
    }

    void rethrow() const
    {
        if (m_error)
            std::rethrow_exception(m_error);
    }

  private:
    struct Stop {
        FirstError* errors;
        void operator()() const { errors->m_stop.request_stop(); }
    };
    std::mutex m_mutex;
    std::exception_ptr m_error;
    std::stop_source m_stop;
    std::stop_callback<Stop> m_outer; // last: may call at once
};

// "1 dead pixel was …" as "1 dead pixels were …", so that it can be counted with others.
std::string inPlural(std::string text)
{
    for (const auto& [one, many] :
         {std::pair<std::string, std::string>{" value that is not a number was", " values that are not numbers were"},
          {" row of a projection ", " rows of projections "},
          {" dead pixel was", " dead pixels were"},
          {" slice is seen", " slices are seen"},
          {" slice was freed", " slices were freed"},
          {" zinger became", " zingers became"},
          {" pixel ", " pixels "},
          {" value ", " values "}})
        if (text.starts_with(one))
            return many + text.substr(one.size());
    return text;
}

// Notes that differ in the number alone that they begin with are one, of all groups together.
void addNote(std::vector<std::string>& notes, const std::string& note)
{
    const std::size_t digits = std::min(note.find_first_not_of("0123456789"), note.size());
    const std::string rest = inPlural(note.substr(digits));
    for (std::string& there : notes) {
        if (digits == 0 && there == note)
            return;
        const std::size_t before = std::min(there.find_first_not_of("0123456789"), there.size());
        if (digits == 0 || before == 0 || inPlural(there.substr(before)) != rest)
            continue;
        there = std::to_string(std::stoll(there.substr(0, before)) + std::stoll(note.substr(0, digits))) + rest;
        return;
    }
    notes.push_back(note);
}

// The same as without any that are done, so that each slice is made among the same others.
std::vector<RowRange> groupsLeft(const Request& request, const VolumePlan& plan, int done)
{
    std::vector<RowRange> groups = groupsOf(request.place.slices, plan, request.setting.kernel.slicesPerPass);
    const int first = request.place.slices.first + done;
    std::erase_if(groups, [first](const RowRange& group) { return group.first < first; });
    require(!groups.empty() && groups.front().first == first,
            std::to_string(done) + " slices that are done are no whole groups");
    return groups;
}

class VolumeRun
{
  public:
    VolumeRun(const Request& request, const VolumePlan& plan, const WriteGroup& write, const VolumeProgress& progress,
              const std::stop_token& stop, int done)
        : m_request(request), m_plan(plan), m_write(write), m_progress(progress), m_errors(stop), m_done(done),
          m_groups(groupsLeft(request, plan, done)), m_onDevice(preparesOnDevice(request))
    {
        m_sum.request = request;
        m_sum.request.resources.memoryLimitBytes = plan.limitBytes;
    }

    Reconstruction run()
    {
        const Stopwatch watch;
        if (m_plan.overlapped)
            overlap();
        else
            m_errors.guard([this] {
                plan();
                for (const RowRange& slices : m_groups)
                    write(m_onDevice ? reconstruct(slices, start(read(slices)))
                                     : reconstruct(slices, prepare(read(slices), slices)));
            });
        m_errors.rethrow();
        finish(watch.seconds());
        return std::move(m_sum);
    }

  private:
    std::stop_token stop() const { return m_errors.token(); }

    Request part(const RowRange& slices) const
    {
        Request part = m_request;
        part.place.slices = slices;
        return part;
    }

    void overlap()
    {
        const auto forEachGroup = [this](const auto& stage) {
            m_errors.guard([&] {
                for (const RowRange& slices : m_groups)
                    stage(slices);
            });
        };
        std::vector<std::jthread> stages; // one that can't be started stops those that wait for it
        m_errors.guard([&] {
            stages.reserve(3); // a thread that found no place would be waited for before the others are stopped
            stages.push_back(
                startThread([&] { forEachGroup([this](const RowRange& s) { m_recorded.give(read(s), stop()); }); }));
            stages.push_back(startThread([&] {
                forEachGroup([this](const RowRange& s) {
                    if (m_onDevice)
                        m_started.give(start(m_recorded.take(stop())), stop());
                    else
                        m_prepared.give(prepare(m_recorded.take(stop()), s), stop());
                });
            }));
            stages.push_back(
                startThread([&] { forEachGroup([this](const RowRange&) { write(m_made.take(stop())); }); }));
            plan(); // while the first rows are read and prepared
        });
        forEachGroup([this](const RowRange& s) {
            m_made.give(m_onDevice ? reconstruct(s, m_started.take(stop())) : reconstruct(s, m_prepared.take(stop())),
                        stop());
        });
    }

    void plan() const
    {
        if (methodFor(m_request).filters) // itself, on a GPU
            return;
        planFilter(m_request.scan->bins(), methodFor(m_request).filterPrecision,
                   static_cast<std::size_t>(m_request.place.slices.count) * m_request.scan->projections());
    }

    RecordedRows read(const RowRange& slices)
    {
        if (slices == m_groups.front())
            report(m_done, slices, Stage::read);
        const Stopwatch watch;
        RawRows raw = engine::read(m_request, preparedKey(part(slices)).rows, stop());
        return {m_request.scan, std::make_shared<const RawRows>(std::move(raw)), watch.seconds()};
    }

    RecordedRows start(RecordedRows recorded)
    {
        startPreparation(m_request, recorded, stop());
        return recorded;
    }

    PreparedRows prepare(RecordedRows given, const RowRange& slices)
    {
        const RecordedRows recorded = std::move(given); // gone when the prepared rows are handed on
        const RowRange rows = preparedKey(part(slices)).rows;
        return engine::prepare(m_request, *recorded.raw, rows, recorded.readSeconds, stop());
    }

    template <typename Rows> // RecordedRows or PreparedRows
    Reconstruction reconstruct(const RowRange& slices, Rows rows)
    {
        const Request part = this->part(slices);
        m_reconstructor.take(std::move(rows));
        const auto onProgress = [&](Stage stage, double fraction) {
            // Filtering takes a tenth of the time or less.
            const double done = stage == Stage::backproject ? 0.1 + 0.9 * fraction
                                : stage == Stage::filter    ? 0.1 * fraction
                                                            : 0;
            report(part.place.slices.first - m_request.place.slices.first + done * part.place.slices.count,
                   part.place.slices, stage);
        };
        Reconstruction made = m_reconstructor.run(part, onProgress, stop());
        m_reconstructor.take(PreparedRows{}); // its rows make room for the next ones
        return made;
    }

    void write(const Reconstruction& made)
    {
        const Stopwatch watch;
        tbb::task_arena arena = arenaOf(m_request.resources.threads);
        arena.execute([&] { m_write(made, stop()); });
        add(made, watch.seconds());
    }

    void report(double slices, const RowRange& group, Stage stage)
    {
        if (!m_progress)
            return;
        const std::lock_guard lock(m_progressMutex);
        m_progress(slices / m_request.place.slices.count, group, stage);
    }

    // By one thread: the writer.
    void add(const Reconstruction& part, double writeSeconds)
    {
        Timings& sum = m_sum.timings;
        sum.read.seconds += part.timings.read.seconds;
        sum.prepare.seconds += part.timings.prepare.seconds;
        if (!part.timings.axis.reused) // found once
            sum.axis.seconds += part.timings.axis.seconds;
        sum.filter.seconds += part.timings.filter.seconds;
        sum.kernelSeconds += part.timings.kernelSeconds;
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
        m_sum.grid = gridOf(m_request);
        m_sum.unit = part.unit;
        for (const std::string& note : part.notes)
            addNote(m_sum.notes, note);
        std::vector<int> empty; // in any of the groups
        std::ranges::set_union(m_sum.emptyProjections, part.emptyProjections, std::back_inserter(empty));
        m_sum.emptyProjections = std::move(empty);
    }

    void finish(double elapsedSeconds)
    {
        Timings& times = m_sum.timings;
        times.elapsedSeconds = elapsedSeconds;
        if (const auto reason = whyNotOnDevice(m_request))
            m_sum.notes.push_back(*reason);
        m_sum.grid.slices -= m_done;
        setFigures(m_sum);
        m_sum.grid.slices += m_done;
    }

    const KeptBuffers m_buffers; // of all groups
    const Request m_request;
    const VolumePlan m_plan;
    const WriteGroup& m_write;
    const VolumeProgress& m_progress;
    FirstError m_errors;
    const int m_done; // slices that aren't made here
    const std::vector<RowRange> m_groups;
    const bool m_onDevice; // recorded rows are prepared there
    std::mutex m_progressMutex;
    HandOver<RecordedRows> m_recorded, m_started;
    HandOver<PreparedRows> m_prepared;
    HandOver<Reconstruction> m_made;
    Reconstructor m_reconstructor;
    Reconstruction m_sum;
};

} // namespace

Reconstruction reconstructVolume(const Request& request, const VolumePlan& plan, const WriteGroup& write,
                                 const VolumeProgress& progress, std::stop_token stop, int done)
{
    validate(request);
    return VolumeRun(request, plan, write, progress, stop, done).run();
}

void joinNotes(std::vector<std::string>& notes, const std::vector<std::string>& more)
{
    for (const std::string& note : more)
        addNote(notes, note);
}

SlowestStage slowestStage(const Reconstruction& made, std::size_t bytesPerValue)
{
    const Timings& times = made.timings;
    const Scan& scan = *made.request.scan;
    const double read =
        double(scan.bytesPerSample) * scan.projections() * scan.bins() * rowsFor(scan.geometry, made.grid).count;
    const double images = double(bytesPerValue) * made.grid.width * made.grid.height * made.grid.slices;
    const SlowestStage stages[] = {
        {"reading", times.read.seconds, read / times.read.seconds},
        {"preparing", times.prepare.seconds, read / times.prepare.seconds},
        {"filter and back-projection", times.totalSeconds, made.totalGups * 1e9, "U"},
        {"writing", times.writeSeconds, images / times.writeSeconds, "B", true},
    };
    return *std::ranges::max_element(stages, {}, &SlowestStage::seconds);
}

} // namespace engine
