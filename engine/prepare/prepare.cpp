// SPDX-License-Identifier: GPL-3.0-or-later
// The loop over the steps. Consecutive steps that work on lines are applied to one line after the other, so that each
// line is read from memory once and written once.
#include "engine/prepare/prepare.h"

#include "engine/base/error.h"
#include "engine/base/less_memory.h"
#include "engine/base/parallel_for.h"
#include "engine/prepare/line_kernel.h"

#include <tbb/blocked_range.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <new>
#include <span>
#include <utility>

namespace engine
{

namespace
{

void checkShape(const RawRows& raw)
{
    const std::size_t frame = static_cast<std::size_t>(std::max(raw.rows.count, 0)) * std::max(raw.bins, 0);
    if (frame == 0 || raw.projections < 1 || raw.data.size() != frame * raw.projections ||
        raw.darks.size() != frame * raw.darkFrames || raw.flats.size() != frame * raw.flatFrames)
        throw Error(ErrorKind::badRequest,
                    "The rows that were read don't have the stated size: " + std::to_string(raw.projections) +
                        " projections of " + std::to_string(raw.rows.count) + " × " + std::to_string(raw.bins) + ".");
}

// A step that is on, started for one scan.
struct Working {
    const PlannedStep* planned;
    StepAtWork work;
};

// Starts the steps that are on among the first `taken` ones of the preparation.
std::vector<Working> started(const Preparation& preparation, const RawRows& raw, Sinograms& sinograms,
                             Quantity quantity, std::size_t taken)
{
    std::vector<Working> steps;
    for (const PlannedStep& planned : std::span(preparation.steps).first(std::min(taken, preparation.steps.size()))) {
        if (!planned.on)
            continue;
        steps.push_back({&planned, planned.step->start({raw, sinograms, planned, preparation, quantity})});
        quantity = planned.step->to.quantity.value_or(quantity);
    }
    return steps;
}

std::vector<Note> notesOf(const std::vector<Working>& steps)
{
    std::vector<Note> notes;
    for (const Working& step : steps)
        if (step.work.notes)
            std::ranges::copy(step.work.notes(), std::back_inserter(notes));
    return notes;
}

Sinograms shapeFor(const RawRows& raw)
{
    Sinograms sinograms;
    sinograms.slices = raw.rows.count;
    sinograms.projections = raw.projections;
    sinograms.bins = raw.bins;
    return sinograms;
}

class Lines
{
  public:
    Lines(const std::vector<Working>& steps, const RawRows& raw, Sinograms& sinograms, std::stop_token stop)
        : m_raw(raw), m_stop(std::move(stop)), m_home(homeOf(steps, sinograms)),
          m_dead(std::ranges::any_of(steps, [](const Working& step) { return step.work.whole != nullptr; })
                     ? static_cast<std::size_t>(raw.rows.count) * raw.projections
                     : 0)
    {
    }

    // Runs every line of these rows through all of these steps. A step that takes all lines together runs between two
    // calls.
    void go(std::span<const Working> steps, RowRange rows)
    {
        const bool fetched = m_fetched;
        const auto block = [&](const tbb::blocked_range<int>& range) {
            for (int row = rows.first; row < rows.first + rows.count; ++row) { // its correction stays in the cache
                throwIfStopped(m_stop);
                for (int projection = range.begin(); projection < range.end(); ++projection)
                    goLine(steps, row, projection, fetched);
            }
        };
        parallelFor(tbb::blocked_range<int>(0, m_raw.projections, 8), block);
        m_fetched = true;
    }

  private:
    // Returns where lines are stored. A step with a `home` specifies the place, also for the steps before it. If no
    // such step is run, lines are stored in the sinograms.
    static std::function<std::span<float>(const LineAtWork&)> homeOf(const std::vector<Working>& steps,
                                                                     Sinograms& sinograms)
    {
        const auto found = std::ranges::find_if(steps, [](const Working& step) { return step.work.home != nullptr; });
        if (found != steps.end())
            return found->work.home;
        return [&sinograms](const LineAtWork& line) { return lineOf(sinograms, line.row, line.projection); };
    }

    void goLine(std::span<const Working> steps, int row, int projection, bool fetched)
    {
        const std::size_t index = projection * static_cast<std::size_t>(m_raw.rows.count) + row;
        LineAtWork line{row, projection, fetched ? nullptr : &m_raw.data, index * m_raw.bins, {}};
        line.values = m_home(line);
        if (fetched)
            line.deadPixels = m_dead[index];
        for (const Working& step : steps) {
            if (!step.work.apply)
                continue;
            if (!step.work.fetches)
                fetch(line);
            step.work.apply(line);
        }
        fetch(line);
        if (!m_dead.empty())
            m_dead[index] = line.deadPixels;
    }

    const RawRows& m_raw;
    std::stop_token m_stop;
    std::function<std::span<float>(const LineAtWork&)> m_home;
    std::vector<int> m_dead; // dead pixels per line, for the steps after one that takes all lines together
    bool m_fetched = false;
};

// Returns the rows needed after a step, counted from the first row read: the wanted rows, and `halo` rows on each
// side for the steps that follow.
RowRange within(const RawRows& raw, RowRange wanted, int halo)
{
    const int first = std::max(0, wanted.first - raw.rows.first - halo);
    return {first, std::min(raw.rows.count, wanted.first + wanted.count - raw.rows.first + halo) - first};
}

// Reduces the sinograms to the requested rows.
void crop(Sinograms& sinograms, RowRange rows)
{
    const std::size_t size = static_cast<std::size_t>(sinograms.projections) * sinograms.bins;
    float* values = sinograms.values.data();
    if (rows.first > 0)
        std::copy_n(values + rows.first * size, rows.count * size, values);
    sinograms.values.resize(rows.count * size);
    sinograms.slices = rows.count;
}

void run(const std::vector<Working>& steps, const Preparation& preparation, const RawRows& raw, RowRange wanted,
         Sinograms& sinograms, const std::stop_token& stop)
{
    Lines lines(steps, raw, sinograms, stop);
    const auto haloOfStep = [&preparation](const Working& step) {
        return step.planned->step->halo ? step.planned->step->halo(*step.planned, preparation) : 0;
    };
    int halo = 0;
    for (const Working& step : steps)
        halo += haloOfStep(step);
    RowRange rows = within(raw, wanted, halo);
    for (auto first = steps.begin(); first != steps.end();) {
        const auto whole = std::find_if(first, steps.end(), [](const Working& step) { return step.work.whole; });
        const auto end = whole == steps.end() ? whole : std::next(whole);
        lines.go(std::span(first, end), rows);
        for (auto step = first; step != end; ++step)
            if (step->work.finish)
                step->work.finish();
        if (whole != steps.end()) {
            throwIfStopped(stop);
            halo -= haloOfStep(*whole);
            const RowRange kept = within(raw, wanted, halo);
            whole->work.whole({sinograms, rows, kept, stop});
            rows = kept;
        }
        first = end;
    }
    if (steps.empty()) // no steps: copies the data as recorded
        lines.go({}, rows);
    crop(sinograms, rows);
}

} // namespace

Prepared prepareRows(const RawRows& raw, Quantity quantity, const Preparation& preparation, int threads,
                     std::stop_token stop, std::optional<RowRange> rows, std::optional<std::size_t> taken)
try {
    checkShape(raw);
    if (const auto objection = objectionTo(preparation, quantity))
        throw Error(ErrorKind::badRequest, *objection);
    Prepared prepared{shapeFor(raw), {}};
    Sinograms& sinograms = prepared.sinograms;
    sinograms.values.resize(raw.data.size());
    tbb::task_arena arena = arenaOf(threads);
    arena.execute([&] {
        const std::vector<Working> steps =
            started(preparation, raw, sinograms, quantity, taken.value_or(preparation.steps.size()));
        throwIfStopped(stop);
        run(steps, preparation, raw, rows.value_or(raw.rows), sinograms, stop);
        prepared.notes = notesOf(steps);
    });
    return prepared;
} catch (const std::bad_alloc&) {
    throw Error(ErrorKind::noMemory, "Not enough memory to prepare " + std::to_string(raw.rows.count) + " rows of " +
                                         std::to_string(raw.bins) + " bins and " + std::to_string(raw.projections) +
                                         " projections: " + lessMemory(raw.rows.count) + ".");
}

Prepared prepareRows(const RawRows& raw, Quantity quantity, int threads, std::stop_token stop)
{
    return prepareRows(raw, quantity, preparationOf(quantity), threads, std::move(stop));
}

struct DevicePreparation::Steps {
    std::vector<Working> working;
};

DevicePreparation::DevicePreparation(std::shared_ptr<const RawRows> raw, Quantity quantity, Preparation preparation,
                                     int threads, std::stop_token stop)
    : m_raw(std::move(raw)), m_sinograms(shapeFor(*m_raw)), m_preparation(std::move(preparation)),
      m_steps(std::make_unique<Steps>())
{
    checkShape(*m_raw);
    tbb::task_arena arena = arenaOf(threads);
    arena.execute(
        [&] { m_steps->working = started(m_preparation, *m_raw, m_sinograms, quantity, m_preparation.steps.size()); });
    throwIfStopped(stop);
    for (const Working& step : m_steps->working)
        step.work.describe(m_program);
}

DevicePreparation::~DevicePreparation() = default;

SinogramView DevicePreparation::shape() const
{
    SinogramView view;
    view.slices = m_sinograms.slices, view.projections = m_sinograms.projections, view.bins = m_sinograms.bins;
    return view;
}

std::vector<Note> DevicePreparation::notes() const
{
    return notesOf(m_steps->working);
}

} // namespace engine
