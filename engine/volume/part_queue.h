// SPDX-License-Identifier: GPL-3.0-or-later
// Queue of the parts of a volume between threads: one reads them, workers reconstruct them, one writes them in order.
#pragma once

#include "engine/base/error.h"
#include "engine/volume/schedule.h"

#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

namespace engine
{

// All waiting functions throw Error(cancelled) when stop is requested.
template <typename Rows, typename Result>
class PartQueue
{
  public:
    struct Taken {
        int part = 0;
        Rows rows;
    };

    // sizes and slowness: as for Schedule.
    PartQueue(std::vector<int> sizes, const std::vector<double>& slowness)
        : m_isShared(slowness.size() > 1), m_schedule(std::move(sizes), slowness, static_cast<int>(slowness.size()) - 1)
    {
    }

    // Called by the reader. Returns nothing when all parts are done. Waits while parts of a failed worker may still
    // be returned.
    std::optional<int> nextToRead(const std::stop_token& stop)
    {
        std::unique_lock lock(m_mutex);
        std::optional<int> part;
        wait(lock, stop, [&] { return m_schedule.isMade() || (part = m_schedule.nextToRead()); });
        return part;
    }
    // Hands over the rows of a part; returns when a worker has taken them.
    void give(int part, Rows rows, const std::stop_token& stop)
    {
        std::unique_lock lock(m_mutex);
        m_read = {part, std::move(rows)};
        m_changed.notify_all();
        wait(lock, stop, [&] { return !m_read; });
    }

    // Called by a worker. Returns nothing when all parts are done.
    std::optional<Taken> take(int worker, const std::stop_token& stop)
    {
        constexpr std::chrono::milliseconds tick{20}; // mayTake() may also change as time passes, without notification
        std::unique_lock lock(m_mutex);
        const auto mayTake = [&] { return m_read && m_schedule.mayTake(worker, m_read->part, now()); };
        while (!m_changed.wait_for(lock, stop, tick, [&] { return m_schedule.isMade() || mayTake(); }))
            throwIfStopped(stop);
        if (m_schedule.isMade())
            return std::nullopt;
        std::optional<Taken> taken = std::exchange(m_read, std::nullopt);
        m_schedule.take(worker, taken->part, now());
        m_changed.notify_all();
        return taken;
    }
    // Hands over the result of a part that the worker took. Returns when the result is accepted for writing, or may
    // wait for earlier parts.
    void setDown(int worker, int part, Result result, const std::stop_token& stop)
    {
        std::unique_lock lock(m_mutex);
        m_schedule.make(worker, part, now());
        wait(lock, stop, [&] { return m_schedule.maySetDown(worker, part); });
        m_schedule.setDown(worker, part, now());
        m_results.emplace(part, std::move(result));
        m_changed.notify_all();
        if (!m_isShared) // the memory plan has no room for a waiting result
            wait(lock, stop, [&] { return !m_results.contains(part); });
    }
    // Returns the failed worker's parts to the queue. Returns the number of workers left.
    int fail(int worker)
    {
        const std::lock_guard lock(m_mutex);
        m_schedule.fail(worker);
        m_changed.notify_all();
        return m_schedule.alive();
    }
    void revive(int worker)
    {
        const std::lock_guard lock(m_mutex);
        m_schedule.revive(worker);
    }

    // Called by the writer. Returns the next result in order.
    Result next(const std::stop_token& stop)
    {
        std::unique_lock lock(m_mutex);
        wait(lock, stop, [&] { return m_results.contains(m_schedule.next()); });
        Result result = std::move(m_results.extract(m_schedule.next()).mapped());
        m_schedule.write(m_schedule.next());
        m_changed.notify_all();
        return result;
    }

  private:
    static double now()
    {
        return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
    }

    template <typename Condition>
    void wait(std::unique_lock<std::mutex>& lock, const std::stop_token& stop, const Condition& condition)
    {
        if (!m_changed.wait(lock, stop, condition))
            throw Error(ErrorKind::cancelled, "cancelled");
    }

    const bool m_isShared;
    std::mutex m_mutex;
    std::condition_variable_any m_changed;
    Schedule m_schedule;
    std::optional<Taken> m_read;
    std::map<int, Result> m_results;
};

} // namespace engine
