// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/stages/prepared_rows.h"

#include "engine/base/error.h"
#include "engine/base/parallel_for.h"
#include "engine/base/stopwatch.h"
#include "engine/examine/examine_rows.h"
#include "engine/guess/wide_object.h"
#include "engine/scan/empty_projections.h"
#include "engine/stages/stages.h"

#include <cstring>
#include <tuple>
#include <utility>

namespace engine
{

namespace
{

// Runs the work and adds the scan's path or name to errors in its data.
template <typename Work>
auto naming(const Scan& scan, const Work& work)
{
    try {
        return work();
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::badFile)
            throw;
        throw Error(error.kind(), fileText(scan.path.empty() ? scan.name : scan.path) + ": " + error.text());
    }
}

} // namespace

RecordedFacts factsOf(const Scan& scan, const RawRows& raw, const std::function<void(int)>& waitFor)
{
    RecordedFacts facts{emptyProjections(scan, raw, waitFor), isWiderThanDetector(scan, raw)};
    facts.doubts = doubtsOf(scan, raw, facts.emptyProjections);
    return facts;
}

Sinograms slicesOf(const Sinograms& all, int first, int count)
{
    const std::size_t size = static_cast<std::size_t>(all.projections) * all.bins;
    const auto begin = all.values.begin() + static_cast<std::ptrdiff_t>(first * size);
    return {count, all.projections, all.bins, Values(begin, begin + static_cast<std::ptrdiff_t>(count * size))};
}

RawRows read(const Request& request, RowRange rows, const std::stop_token& stop)
{
    RawRows raw;
    const RowRange all = rowsToRead(request, rows);
    if (request.place.projections)
        return readPart(request, {*request.place.projections, all, true}, stop);
    tbb::task_arena arena = arenaOf(request.resources.threads);
    arena.execute([&] { raw = request.scan->read(all, stop); });
    return raw;
}

RawRows readPart(const Request& request, const FramePart& part, const std::stop_token& stop)
{
    const Scan& scan = *request.scan;
    RawRows raw;
    tbb::task_arena arena = arenaOf(request.resources.threads);
    arena.execute([&] {
        if (scan.readFrames) {
            raw = scan.readFrames(part, stop);
            return;
        }
        raw = scan.read(part.rows, stop); // reads all projections of these rows; some are copied
        const std::size_t frame = static_cast<std::size_t>(raw.rows.count) * raw.bins;
        Samples some(raw.data.type(), frame * part.projections.count);
        const std::size_t bytes = raw.data.type().bytes;
        std::memcpy(some.bytes(), raw.data.bytes() + part.projections.first * frame * bytes,
                    part.projections.count * frame * bytes);
        raw.scanProjections = raw.projections;
        raw.firstProjection = part.projections.first;
        raw.projections = part.projections.count;
        raw.data = std::move(some);
    });
    return raw;
}

void copyRows(const RawRows& from, int firstFrom, RawRows& to, int firstTo, int count)
{
    const auto copy = [&](const char* source, char* target, int frames, std::size_t bytes) { // of a number
        const std::size_t row = from.bins * bytes;
        parallelFor(0, frames, [&](int k) {
            std::memcpy(target + (static_cast<std::size_t>(k) * to.rows.count + firstTo) * row,
                        source + (static_cast<std::size_t>(k) * from.rows.count + firstFrom) * row, count * row);
        });
    };
    copy(from.data.bytes(), to.data.bytes(), from.projections, from.data.type().bytes);
    for (const auto& [frames, source, target] :
         {std::tuple(from.darkFrames, &from.darks, &to.darks), {from.flatFrames, &from.flats, &to.flats}})
        copy(reinterpret_cast<const char*>(source->data()), reinterpret_cast<char*>(target->data()), frames,
             sizeof(float));
}

RawRows emptyLike(const RawRows& rows, const RowRange& others)
{
    const std::size_t row = static_cast<std::size_t>(others.count) * rows.bins;
    RawRows made;
    made.rows = others;
    made.bins = rows.bins;
    made.projections = rows.projections;
    made.darkFrames = rows.darkFrames;
    made.flatFrames = rows.flatFrames;
    made.firstProjection = rows.firstProjection;
    made.scanProjections = rows.scanProjections;
    made.data = Samples(rows.data.type(), row * rows.projections);
    made.darks.resize(row * rows.darkFrames);
    made.flats.resize(row * rows.flatFrames);
    return made;
}

RawRows rowsOf(const RawRows& all, RowRange rows, int threads)
{
    RawRows some = emptyLike(all, rows);
    tbb::task_arena arena = arenaOf(threads);
    arena.execute([&] { copyRows(all, rows.first - all.rows.first, some, 0, rows.count); });
    return some;
}

PreparedRows prepare(const Request& request, const RawRows& raw, RowRange rows, double readSeconds,
                     const std::stop_token& stop)
{
    const Stopwatch preparing;
    Prepared prepared = naming(*request.scan, [&] {
        return prepareRows(raw, request.scan->quantity, preparationOf(request), request.resources.threads, stop, rows);
    });
    return {request.scan,
            rows,
            std::move(prepared),
            readSeconds,
            preparing.seconds(),
            preparationSettingsOf(request),
            request.place.projections,
            factsOf(*request.scan, raw)};
}

void startPreparation(const Request& request, RecordedRows& rows, const std::stop_token& stop)
{
    const Stopwatch starting;
    rows.preparation = naming(*request.scan, [&] {
        return std::make_shared<const DevicePreparation>(rows.raw, request.scan->quantity, preparationOf(request),
                                                         request.resources.threads, stop);
    });
    rows.startSeconds = starting.seconds();
}

} // namespace engine
