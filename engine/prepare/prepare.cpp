// The loop over the steps. All of them work on one line after the other, so that a line is read from memory once and
// written once.
#include "engine/prepare/prepare.h"

#include "engine/error.h"
#include "engine/parallel_for.h"
#include "engine/prepare/line_kernel.h"

#include <tbb/blocked_range.h>
#include <tbb/info.h>
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
                    "The rows that were read don't have the size that they claim: " + std::to_string(raw.projections) +
                        " projections of " + std::to_string(raw.rows.count) + " × " + std::to_string(raw.bins) + ".");
}

std::vector<StepAtWork> started(const Preparation& preparation, const StepArguments& arguments)
{
    std::vector<StepAtWork> work;
    for (const PlannedStep& planned : preparation.steps)
        if (planned.on)
            work.push_back(planned.step->start(arguments));
    return work;
}

std::vector<std::string> notesOf(const std::vector<StepAtWork>& work)
{
    std::vector<std::string> notes;
    for (const StepAtWork& step : work)
        if (step.notes)
            std::ranges::copy(step.notes(), std::back_inserter(notes));
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

void applyToLines(const std::vector<StepAtWork>& work, const RawRows& raw, const std::stop_token& stop)
{
    const auto bins = static_cast<std::size_t>(raw.bins);
    const auto home = std::ranges::find_if(work, [](const StepAtWork& step) { return step.home != nullptr; });
    const auto block = [&](const tbb::blocked_range<int>& range) {
        for (int row = 0; row < raw.rows.count; ++row) { // whose correction stays in the cache meanwhile
            throwIfStopped(stop);
            for (int projection = range.begin(); projection < range.end(); ++projection) {
                const std::size_t first = (projection * static_cast<std::size_t>(raw.rows.count) + row) * bins;
                LineAtWork line{row, projection, &raw.data, first, {}};
                line.values = home->home(line);
                for (const StepAtWork& step : work) {
                    if (!step.apply)
                        continue;
                    if (!step.fetches)
                        fetch(line);
                    step.apply(line);
                }
                fetch(line);
            }
        }
    };
    parallelFor(tbb::blocked_range<int>(0, raw.projections, 8), block);
}

} // namespace

Prepared prepareRows(const RawRows& raw, Quantity quantity, const Preparation& preparation, int threads,
                     std::stop_token stop)
try {
    checkShape(raw);
    if (const auto objection = objectionTo(preparation, quantity))
        throw Error(ErrorKind::badRequest, *objection);
    Prepared prepared{shapeFor(raw), {}};
    Sinograms& sinograms = prepared.sinograms;
    sinograms.values.resize(raw.data.size());
    tbb::task_arena arena = arenaOf(threads);
    arena.execute([&] {
        const std::vector<StepAtWork> work = started(preparation, {raw, sinograms});
        throwIfStopped(stop);
        applyToLines(work, raw, stop);
        for (const StepAtWork& step : work)
            if (step.finish)
                step.finish();
        prepared.notes = notesOf(work);
    });
    return prepared;
} catch (const std::bad_alloc&) {
    throw Error(ErrorKind::noMemory, "Not enough memory to prepare " + std::to_string(raw.rows.count) + " rows of " +
                                         std::to_string(raw.bins) + " bins and " + std::to_string(raw.projections) +
                                         " projections: ask for fewer slices.");
}

Prepared prepareRows(const RawRows& raw, Quantity quantity, int threads, std::stop_token stop)
{
    return prepareRows(raw, quantity, preparationOf(quantity), threads, std::move(stop));
}

DevicePreparation::DevicePreparation(std::shared_ptr<const RawRows> raw, Quantity quantity, int threads,
                                     std::stop_token stop)
    : m_raw(std::move(raw)), m_sinograms(shapeFor(*m_raw))
{
    checkShape(*m_raw);
    tbb::task_arena arena = arenaOf(threads);
    arena.execute([&] { m_work = started(preparationOf(quantity), {*m_raw, m_sinograms}); });
    throwIfStopped(stop);
    for (const StepAtWork& step : m_work)
        step.describe(m_program);
}

SinogramView DevicePreparation::shape() const
{
    SinogramView view;
    view.slices = m_sinograms.slices, view.projections = m_sinograms.projections, view.bins = m_sinograms.bins;
    return view;
}

std::vector<std::string> DevicePreparation::notes() const
{
    return notesOf(m_work);
}

} // namespace engine
