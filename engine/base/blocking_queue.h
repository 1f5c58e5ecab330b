// SPDX-License-Identifier: GPL-3.0-or-later
// Queue that hands values from one thread to another, one at a time.
#pragma once

#include "engine/base/error.h"

#include <condition_variable>
#include <mutex>
#include <optional>
#include <stop_token>
#include <utility>

namespace engine
{

// give() returns when the value has been taken, so no second value waits. Both functions throw Error(cancelled) if
// stop is requested while they wait.
template <typename T>
class BlockingQueue
{
  public:
    void give(T value, const std::stop_token& stop)
    {
        std::unique_lock lock(m_mutex);
        m_value = std::move(value);
        m_changed.notify_all();
        if (!m_changed.wait(lock, stop, [this] { return !m_value; }))
            throw Error(ErrorKind::cancelled, "cancelled");
    }

    T take(const std::stop_token& stop)
    {
        std::unique_lock lock(m_mutex);
        if (!m_changed.wait(lock, stop, [this] { return m_value.has_value(); }))
            throw Error(ErrorKind::cancelled, "cancelled");
        T value = std::move(*m_value);
        m_value.reset();
        m_changed.notify_all();
        return value;
    }

  private:
    std::mutex m_mutex;
    std::condition_variable_any m_changed;
    std::optional<T> m_value;
};

} // namespace engine
