// SPDX-License-Identifier: GPL-3.0-or-later
// A slot for the request that waits for the worker. A newer request replaces it, and stops the current one.
#pragma once

#include "engine/base/error.h"

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <stop_token>
#include <utility>

namespace ui
{

// Thread-safe.
template <typename Request>
class RequestSlot
{
  public:
    struct Taken {
        Request request;
        std::uint64_t id = 0;
        std::stop_token stop; // of this request
    };

    // Stops the current request unless its step is known to be short. stopsAnyStep: stops it in any case.
    void put(const Request& request, std::uint64_t id, bool stopsAnyStep)
    {
        {
            const std::lock_guard lock(m_mutex);
            m_waiting = request;
            m_waitingId = id;
            if (!m_letsStepFinish || stopsAnyStep)
                m_stop.request_stop();
        }
        m_wake.notify_one();
    }

    void clear() // removes the waiting request, and stops the current one
    {
        const std::lock_guard lock(m_mutex);
        m_waiting.reset();
        m_stop.request_stop();
    }

    // Waits for a request. Returns nothing if the worker should end.
    std::optional<Taken> take(const std::stop_token& quit)
    {
        std::unique_lock lock(m_mutex);
        if (!m_wake.wait(lock, quit, [this] { return m_waiting.has_value(); }))
            return std::nullopt;
        m_stop = std::stop_source();
        m_letsStepFinish = false;
        Taken taken{std::move(*m_waiting), m_waitingId, m_stop.get_token()};
        m_waiting.reset();
        return taken;
    }

    // Begins a step of the current request; a short step will not be stopped by put(). Throws
    // engine::Error(cancelled) if another request waits, or if this one was stopped.
    void beginStep(bool isShort, const std::stop_token& stop)
    {
        const std::lock_guard lock(m_mutex);
        if (m_waiting || stop.stop_requested())
            throw engine::Error(engine::ErrorKind::cancelled, "cancelled");
        m_letsStepFinish = isShort;
    }

    void giveWay() // the step isn't short: stops it if another request waits
    {
        const std::lock_guard lock(m_mutex);
        m_letsStepFinish = false;
        if (m_waiting)
            m_stop.request_stop();
    }

  private:
    std::mutex m_mutex;
    std::condition_variable_any m_wake;
    std::optional<Request> m_waiting;
    std::uint64_t m_waitingId = 0;
    std::stop_source m_stop;       // for the current request
    bool m_letsStepFinish = false; // the current step is known to be short
};

} // namespace ui
