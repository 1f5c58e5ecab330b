// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/reconstruct/row_cache.h"

#include "engine/base/error.h"
#include "engine/base/stopwatch.h"
#include "engine/stages/arriving_rows.h"
#include "engine/stages/patched_rows.h"
#include "engine/stages/stages.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

namespace engine
{

namespace
{

// Bytes of the request's rows, prepared.
double preparedBytes(const Request& request, const RowRange& rows)
{
    return sizeof(float) * static_cast<double>(rows.count) * projectionsOf(request) * request.scan->bins();
}

double preparedBytes(const PreparedRows& rows)
{
    return sizeof(float) * static_cast<double>(rows.prepared.sinograms.values.size());
}

} // namespace

void RowCache::dropOthers(const Scan* scan)
{
    if (m_isReadForGpu && m_recorded->scan.get() != scan)
        dropRecorded();
    m_prepared.dropIf([scan](const PreparedKey& key) { return key.scan.get() != scan; });
}

void RowCache::dropRecorded()
{
    m_recorded.reset();
    m_slice.reset();
    m_isReadForGpu = false;
}

void RowCache::clear()
{
    dropRecorded();
    m_prepared.clear();
    m_areForOneUse = false;
}

void RowCache::take(PreparedRows rows)
{
    clear();
    if (!rows.scan)
        return;
    m_areForOneUse = true;
    const PreparedKey key{rows.scan, rows.rows, rows.preparation, rows.projections};
    const double bytes = preparedBytes(rows);
    m_prepared.keep(key, std::move(rows), bytes);
}

void RowCache::take(RecordedRows rows)
{
    clear();
    m_recorded = std::move(rows);
}

PreparedRows* RowCache::findPrepared(const PreparedKey& wanted)
{
    return m_prepared.findIf([&](const PreparedKey& kept) { return kept.covers(wanted); });
}

RecordedRows* RowCache::findRecorded(const PreparedKey& wanted)
{
    if (!m_recorded || m_recorded->scan != wanted.scan || wanted.projections != m_recorded->projections)
        return nullptr;
    return m_recorded->raw->rows == rowsToRead(wanted) ? &*m_recorded : nullptr;
}

bool RowCache::hasRecorded(const PreparedKey& wanted) const
{
    if (!m_isReadForGpu || m_recorded->scan != wanted.scan || wanted.projections != m_recorded->projections)
        return false;
    const RowRange all = rowsToRead(wanted);
    const RowRange& have = m_recorded->raw->rows;
    return have.first <= all.first && all.first + all.count <= have.first + have.count;
}

RecordedRows* RowCache::findSlice(const PreparedKey& wanted, int threads)
{
    if (!hasRecorded(wanted))
        return nullptr;
    finishReading();
    const RowRange all = rowsToRead(wanted);
    if (!m_slice || m_slice->raw->rows != all)
        m_slice =
            RecordedRows{m_recorded->scan, std::make_shared<const RawRows>(rowsOf(*m_recorded->raw, all, threads)),
                         m_recorded->readSeconds, m_recorded->projections};
    return &*m_slice;
}

PreparedRows RowCache::preparedAlone(const Request& request, RowRange rows, const Progress& progress,
                                     const std::stop_token& stop)
{
    const PreparedKey wanted{request.scan, rows, preparationSettingsOf(request), request.place.projections};
    // One row is read sooner than all that are still arriving.
    const bool isQuicker = m_recorded && m_recorded->arriving &&
                           rowsToRead(wanted).count + request.scan->rowsTogether <= request.scan->rows / 8;
    if (hasRecorded(wanted) && !isQuicker) {
        finishReading();
        report(progress, Stage::prepare, 0);
        const RowRange all = rowsToRead(wanted);
        const double seconds = m_recorded->readSeconds;
        return all == m_recorded->raw->rows
                   ? prepare(request, *m_recorded->raw, rows, seconds, stop)
                   : prepare(request, rowsOf(*m_recorded->raw, all, request.resources.threads), rows, seconds, stop);
    }
    const Stopwatch reading;
    report(progress, Stage::read, 0);
    const RawRows raw = read(request, rows, stop);
    const double readSeconds = reading.seconds();
    throwIfStopped(stop);
    report(progress, Stage::prepare, 0);
    return prepare(request, raw, rows, readSeconds, stop);
}

RowCache::Found RowCache::prepared(const Request& request, const Progress& progress, const std::stop_token& stop)
{
    const PreparedKey wanted = preparedKey(request);
    if (PreparedRows* rows = findPrepared(wanted))
        return {*rows, true, true};
    const bool wereRead = hasRecorded(wanted);
    m_areForOneUse = false;
    m_prepared.makeRoom(preparedBytes(request, wanted.rows));
    PreparedRows made;
    if (const RecordedRows* known = findRecorded(wanted)) {
        finishReading();
        report(progress, Stage::prepare, 0);
        made = prepare(request, *known->raw, wanted.rows, known->readSeconds, stop);
        if (m_isReadForGpu) // all of them are prepared now
            dropRecorded();
    } else
        made = preparedAlone(request, wanted.rows, progress, stop);
    const double bytes = preparedBytes(made);
    PreparedRows& rows = m_prepared.keep(wanted, std::move(made), bytes);
    report(progress, Stage::prepare, 1);
    return {rows, wereRead, false};
}

RowCache::Found RowCache::preparedWithGaps(const Request& request, const Progress& progress,
                                           const std::stop_token& stop)
{
    try {
        return prepared(request, progress, stop);
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::badFile || request.place.projections)
            throw;
    }
    dropRecorded();
    const Stopwatch reading;
    report(progress, Stage::read, 0);
    const PreparedKey wanted = preparedKey(request);
    const PatchedRows patched = readPatched(request, wanted.rows, stop);
    PreparedRows made = prepare(request, patched.raw, wanted.rows, reading.seconds(), stop);
    Sinograms& sinograms = made.prepared.sinograms;
    const std::size_t row = static_cast<std::size_t>(sinograms.projections) * sinograms.bins;
    for (const int gap : patched.gaps)
        if (const int slice = gap - wanted.rows.first; slice >= 0 && slice < sinograms.slices)
            std::fill_n(sinograms.values.begin() + slice * row, row, std::numeric_limits<float>::quiet_NaN());
    made.prepared.notes.insert(made.prepared.notes.end(), patched.notes.begin(), patched.notes.end());
    made.gaps = patched.notes;
    const double bytes = preparedBytes(made);
    return {m_prepared.keep(wanted, std::move(made), bytes), false, false};
}

RecordedRows& RowCache::readRecorded(const Request& request, const Progress& progress, const std::stop_token& stop)
{
    dropRecorded();
    const RowRange rows = preparedKey(request).rows;
    m_prepared.makeRoom(preparedBytes(request, rows));
    const Stopwatch reading;
    report(progress, Stage::read, 0);
    RecordedRows recorded{.scan = request.scan, .raw = {}, .projections = request.place.projections};
    if (ArrivingRows::suit(request)) {
        const RowRange all = rowsToRead(request, rows);
        recorded.arriving = std::make_shared<const ArrivingRows>(request, all, stop);
        recorded.raw = recorded.arriving->raw();
    } else {
        recorded.raw = std::make_shared<const RawRows>(read(request, rows, stop));
        recorded.readSeconds = reading.seconds();
    }
    throwIfStopped(stop);
    m_recorded = std::move(recorded);
    m_isReadForGpu = true;
    return *m_recorded;
}

void RowCache::finishReading()
{
    if (!m_recorded || !m_recorded->arriving)
        return;
    try {
        m_recorded->readSeconds = m_recorded->arriving->waitForAll();
    } catch (...) {
        dropRecorded();
        throw;
    }
    m_recorded->arriving.reset();
}

void RowCache::settleReading() noexcept
{
    try {
        finishReading();
    } catch (...) { // the run throws its own error
    }
}

} // namespace engine
