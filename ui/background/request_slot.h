// SPDX-License-Identifier: GPL-3.0-or-later
// The request that waits for the worker: a newer one takes its place, and stops the one under way.
#pragma once

#include "ui/background/reconstruction_job.h"

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <stop_token>

namespace ui
{

// Of any thread.
class RequestSlot
{
  public:
    struct Taken {
        JobRequest request;
        std::uint64_t id = 0;
        std::stop_token stop; // of this request
    };

    // What is under way stops where it isn't known to be over soon, or `stopsAnyStep`.
    void put(const JobRequest& request, std::uint64_t id, bool stopsAnyStep);
    void clear(); // nothing waits, and nothing is under way any more
    // Waits for one; nothing where the worker is to end.
    std::optional<Taken> take(const std::stop_token& quit);
    // Of the one under way: a step, which is worth finishing where it is short. Throws engine::Error(cancelled) where
    // another request waits, or this one was stopped.
    void beginStep(bool isShort, const std::stop_token& stop);
    void giveWay(); // the step isn't short: stops where another request waits

  private:
    std::mutex m_mutex;
    std::condition_variable_any m_wake;
    std::optional<JobRequest> m_waiting;
    std::uint64_t m_waitingId = 0;
    std::stop_source m_stop;       // of the request under way
    bool m_letsStepFinish = false; // the step under way is known to be short
};

} // namespace ui
