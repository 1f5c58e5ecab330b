#include "engine/schedule/schedule.h"

#include <algorithm>
#include <utility>

namespace engine
{

Schedule::Schedule(std::vector<int> sizes, int workers, int mostWaiting)
    : m_workers(static_cast<std::size_t>(workers)), m_mostWaiting(mostWaiting)
{
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

// Seconds a slice of those that were seen at work, which others are taken to need too; 0: of nobody yet.
double Schedule::typicalSecondsPerSlice() const
{
    double sum = 0;
    int known = 0;
    for (const WorkerState& worker : m_workers)
        if (worker.isAlive && worker.secondsPerSlice) {
            sum += *worker.secondsPerSlice;
            ++known;
        }
    return known == 0 ? 0 : sum / known;
}

// When it has made all that it has. Who is late is expected to be late as long again.
double Schedule::whenFree(const WorkerState& worker, double secondsPerSlice, double now) const
{
    double free = now;
    bool isFirst = true;
    for (const int number : worker.parts) {
        const PartState& part = m_parts[number];
        if (part.state == State::held) { // it waits for others, and all behind it
            isFirst = false;
            continue;
        }
        const double cost = secondsPerSlice * part.size;
        if (!std::exchange(isFirst, false)) {
            free += cost;
            continue;
        }
        const double expected = std::max(worker.freeSince, part.since) + cost;
        free = expected > now ? expected : 2 * now - expected;
    }
    return free;
}

bool Schedule::mayTake(int worker, int part, double now) const
{
    constexpr double partsAhead = 2; // that others may have more of, as they are prepared one ahead
    const int size = m_parts[part].size;
    const bool isLast = m_returned.empty() && m_unread == static_cast<int>(m_parts.size());
    const WorkerState& asking = m_workers[worker];
    if (!asking.isAlive || (!asking.secondsPerSlice && !asking.parts.empty() && alive() > 1))
        return false;
    const double typical = typicalSecondsPerSlice();
    const double ownPerSlice = asking.secondsPerSlice.value_or(typical);
    const double own = whenFree(asking, ownPerSlice, now) + ownPerSlice * size;
    double othersPerSecond = 0; // slices
    int others = 0;
    for (const WorkerState& other : m_workers) {
        if (!other.isAlive || &other == &asking)
            continue;
        const double perSlice = other.secondsPerSlice.value_or(typical), cost = perSlice * size;
        if (own > whenFree(other, perSlice, now) + cost * (isLast ? 1 : 1 + partsAhead))
            return false;
        ++others;
        othersPerSecond += perSlice > 0 ? 1 / perSlice : 0;
    }
    // What they make meanwhile has to wait; where there is no more place, they do.
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

// Where nobody else is at the next one, it waits for this worker: it came back from one that failed.
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
    for (const int part : failed.parts) {
        m_parts[part].state = State::unread;
        m_parts[part].worker = -1;
        m_returned.push_back(part);
    }
    failed.parts.clear();
    std::ranges::sort(m_returned);
}

int Schedule::alive() const
{
    return static_cast<int>(std::ranges::count(m_workers, true, &WorkerState::isAlive));
}

void Schedule::revive(int worker)
{
    m_workers[worker] = {};
}

} // namespace engine
