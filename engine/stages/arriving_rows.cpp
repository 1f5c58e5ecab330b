// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/stages/arriving_rows.h"

#include "engine/base/error.h"
#include "engine/base/start_thread.h"
#include "engine/stages/prepared_rows.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <utility>

namespace engine
{

namespace
{

constexpr int mostBlocks = 32; // each of them checks that the scan's files are unchanged

double bytesOfProjection(const Scan& scan, const RowRange& rows)
{
    return static_cast<double>(rows.count) * scan.bins() * scan.bytesPerSample;
}

// Returns the number of projections that are read together: whole chunks of the file.
int projectionsReadTogether(const Scan& scan, const RowRange& rows, double blockBytes)
{
    const int all = scan.projections(), together = std::max(1, scan.framesTogether);
    const double least = std::max(blockBytes / std::max(bytesOfProjection(scan, rows), 1.0), 1.0 * all / mostBlocks);
    const double chunks = std::ceil(std::min<double>(least, all) / together);
    return static_cast<int>(std::min<double>(chunks * together, all));
}

// Reads the part and stores its numbers at `to`. Throws Error.
RawRows readTo(char* to, const Request& request, FramePart part, const std::stop_token& stop)
{
    part.to = to;
    RawRows raw = readPart(request, part, stop);
    if (raw.data.size() > 0) // a scan that isn't read from files
        std::memcpy(to, raw.data.bytes(), raw.data.size() * raw.data.type().bytes);
    return raw;
}

} // namespace

bool ArrivingRows::suit(const Request& request)
{
    const Scan& scan = *request.scan;
    // Without flats, the air beside the object in all projections shows the light.
    const bool hasLight = scan.quantity != Quantity::counts || scan.flatFrames > 0;
    return scan.readFrames && hasLight && !request.place.projections && scan.framesTogether < scan.projections();
}

ArrivingRows::ArrivingRows(const Request& request, RowRange rows, const std::stop_token& stop, double blockBytes)
    : m_each(projectionsReadTogether(*request.scan, rows, blockBytes)), m_outer(stop, Stop{&m_stop})
{
    const Scan& scan = *request.scan;
    const RowRange firstChunk{0, std::max(1, scan.framesTogether)};
    // Only reading shows the type of the numbers.
    RawRows first = readPart(request, {firstChunk, rows, false}, stop);
    const std::size_t each = first.data.size() / static_cast<std::size_t>(first.projections);
    auto raw = std::make_shared<RawRows>(std::move(first));
    raw->projections = scan.projections();
    raw->scanProjections = 0; // all
    raw->data = Samples(raw->data.type(), each * static_cast<std::size_t>(raw->projections));
    m_raw = raw;
    m_thread = startThread([this, request, raw] { work(request, *raw); });
    try {
        RawRows sides = readPart(request, {firstChunk, rows, true}, m_stop.get_token());
        raw->darkFrames = sides.darkFrames;
        raw->flatFrames = sides.flatFrames;
        raw->darks = std::move(sides.darks);
        raw->flats = std::move(sides.flats);
    } catch (...) {
        m_stop.request_stop(); // the destructor won't run
        throw;
    }
}

ArrivingRows::~ArrivingRows()
{
    m_stop.request_stop();
}

void ArrivingRows::work(const Request& request, RawRows& raw)
{
    const int all = raw.projections;
    const std::size_t each = raw.data.size() / static_cast<std::size_t>(all) * raw.data.type().bytes;
    try {
        for (int first = 0; first < all; first += m_each) {
            const int count = std::min(m_each, all - first);
            readTo(raw.data.bytes() + first * each, request, {{first, count}, raw.rows, false}, m_stop.get_token());
            const std::lock_guard lock(m_mutex);
            m_arrived = first + count;
            m_seconds = m_watch.seconds();
            m_changed.notify_all();
        }
    } catch (...) {
        const std::lock_guard lock(m_mutex);
        m_error = std::current_exception();
        m_changed.notify_all();
    }
}

void ArrivingRows::waitFor(int projections) const
{
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [&] { return m_arrived >= projections || m_error; });
    if (m_arrived < projections)
        std::rethrow_exception(m_error);
}

double ArrivingRows::waitForAll() const
{
    waitFor(m_raw->projections);
    const std::lock_guard lock(m_mutex);
    return m_seconds;
}

} // namespace engine
