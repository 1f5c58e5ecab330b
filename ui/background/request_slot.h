// SPDX-License-Identifier: GPL-3.0-or-later
// A slot for the request that waits for the worker. A newer request replaces it, and stops the current one.
#pragma once

#include "ui/background/reconstruction_job.h"

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <stop_token>

namespace ui
{

// Thread-safe.
class RequestSlot
{
  public:
    struct Taken {
        JobRequest request;
        std::uint64_t id = 0;
        std::stop_token stop; // of this request
    };

    // Stops the current request unless its step is known to be short. stopsAnyStep: stops it in any case.
    void put(const JobRequest& request, std::uint64_t id, bool stopsAnyStep);
    void clear(); // removes the waiting request, and stops the current one
    // Waits for a request. Returns nothing if the worker should end.
    std::optional<Taken> take(const std::stop_token& quit);
    // Begins a step of the current request; a short step will not be stopped by put(). Throws
    // engine::Error(cancelled) if another request waits, or if this one was stopped.
    void beginStep(bool isShort, const std::stop_token& stop);
    void giveWay(); // the step isn't short: stops it if another request waits

  private:
    std::mutex m_mutex;
    std::condition_variable_any m_wake;
    std::optional<JobRequest> m_waiting;
    std::uint64_t m_waitingId = 0;
    std::stop_source m_stop;       // for the current request
    bool m_letsStepFinish = false; // the current step is known to be short
};

} // namespace ui
