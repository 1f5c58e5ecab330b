// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/volume/schedule.h"

#include <algorithm>
#include <utility>

namespace engine
{

Schedule::Schedule(std::vector<int> sizes, const std::vector<double>& slowness, int mostWaiting)
    : m_mostWaiting(mostWaiting)
{
    for (const double each : slowness)
        m_workers.push_back({.slowness = each, .secondsPerSlice = {}, .parts = {}});
    m_alive = static_cast<int>(m_workers.size());
    for (const int size : sizes)
        m_parts.push_back({.size = size});
}

std::optional<int> Schedule::nextToRead()
{
    int part = m_unread;
    if (!m_returned.empty()) {
        part = m_returned.front();
        m_returned.erase(m_returned.begin());
    } else if (m_unread == static_cast<int>(m_parts.size())) {
        return std::nullopt;
    } else {
        ++m_unread;
    }
    m_parts[part].state = State::read;
    return part;
}

// Returns the measured seconds per slice for a worker of slowness 1, averaged over the workers; nothing before the
// first measurement.
std::optional<double> Schedule::typicalSecondsPerSlice() const
{
    double sum = 0;
    int known = 0;
    for (const WorkerState& worker : m_workers)
        if (worker.isAlive && worker.secondsPerSlice) {
            sum += *worker.secondsPerSlice / worker.slowness;
            ++known;
        }
    return known == 0 ? std::nullopt : std::optional(sum / known);
}

// Returns when the worker will have finished its parts. A worker that is overdue is expected to need as long again as
// it is overdue.
double Schedule::whenFree(const WorkerState& worker, double secondsPerSlice, bool isKnown, double now) const
{
    double free = now;
    bool isFirst = true;
    for (const int number : worker.parts) {
        const PartState& part = m_parts[number];
        // The result waits for earlier parts, and the worker's later parts wait behind it.
        if (part.state == State::held) {
            isFirst = false;
            continue;
        }
        const double cost = secondsPerSlice * part.size;
        if (!std::exchange(isFirst, false)) {
            free += cost;
            continue;
        }
        const double expected = std::max(worker.freeSince, part.since) + cost;
        free = expected > now ? expected : isKnown ? 2 * now - expected : now;
    }
    return free;
}

bool Schedule::mayTake(int worker, int part, double now) const
{
    // A worker leaves a part to another worker that is expected to finish it earlier, even if the other worker has to
    // reconstruct `partsAhead` other parts first; for the last part, no other parts are counted. `partsAhead` is above
    // 0 because each worker's next part is prepared in advance.
    constexpr double partsAhead = 2;
    const int size = m_parts[part].size;
    const bool isLast = m_returned.empty() && m_unread == static_cast<int>(m_parts.size());
    const WorkerState& asking = m_workers[worker];
    if (!asking.isAlive || (!asking.secondsPerSlice && !asking.parts.empty() && alive() > 1))
        return false;
    const std::optional<double> typical = typicalSecondsPerSlice();
    const auto perSliceOf = [&typical](const WorkerState& worker) {
        return worker.secondsPerSlice.value_or(typical.value_or(1e-9) * worker.slowness);
    };
    const auto whenMade = [&](const WorkerState& worker, double parts) {
        return whenFree(worker, perSliceOf(worker), typical.has_value(), now) + perSliceOf(worker) * size * parts;
    };
    const double own = whenMade(asking, 1);
    double othersPerSecond = 0; // slices
    int others = 0;
    for (const WorkerState& other : m_workers) {
        if (!other.isAlive || &other == &asking)
            continue;
        if (own > whenMade(other, isLast ? 1 : 1 + partsAhead))
            return false;
        ++others;
        othersPerSecond += 1 / std::max(perSliceOf(other), 1e-9);
    }
    if (!typical)
        return true;
    // Results that the others finish meanwhile have to wait for this part. When there is no room for more results,
    // the other workers have to wait.
    return othersPerSecond * (own - now) <= double(m_mostWaiting + others + 1) * size;
}

void Schedule::take(int worker, int part, double now)
{
    m_parts[part].state = State::taken;
    m_parts[part].worker = worker;
    m_parts[part].since = now;
    m_workers[worker].parts.push_back(part);
}

void Schedule::make(int worker, int part, double now)
{
    WorkerState& by = m_workers[worker];
    PartState& made = m_parts[part];
    const double perSlice = (now - std::max(by.freeSince, made.since)) / made.size;
    by.secondsPerSlice = by.secondsPerSlice ? (*by.secondsPerSlice + perSlice) / 2 : perSlice;
    made.state = State::held;
}

// A worker may hand over its result, even without room for it, if no other worker has the next part to be written (a
// worker that failed may have returned it): that part may be waiting for this worker.
bool Schedule::maySetDown(int worker, int part) const
{
    if (isNext(part) || m_waiting < m_mostWaiting)
        return true;
    const PartState& next = m_parts[m_next];
    return next.state == State::unread || next.state == State::read || next.worker == worker;
}

void Schedule::setDown(int worker, int part, double now)
{
    std::erase(m_workers[worker].parts, part);
    m_workers[worker].freeSince = now;
    m_parts[part].state = State::waiting;
    m_parts[part].worker = -1;
    ++m_waiting;
    ++m_made;
}

void Schedule::write(int part)
{
    m_parts[part].state = State::written;
    --m_waiting;
    ++m_next;
}

void Schedule::fail(int worker)
{
    WorkerState& failed = m_workers[worker];
    failed.isAlive = false;
    --m_alive;
    for (const int part : failed.parts) {
        m_parts[part].state = State::unread;
        m_parts[part].worker = -1;
        m_returned.push_back(part);
    }
    failed.parts.clear();
    std::ranges::sort(m_returned);
}

void Schedule::revive(int worker)
{
    m_workers[worker] = {.secondsPerSlice = {}, .parts = {}};
    ++m_alive;
}

} // namespace engine
