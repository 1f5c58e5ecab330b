// SPDX-License-Identifier: GPL-3.0-or-later
// The first error of several threads.
#pragma once

#include <exception>
#include <mutex>
#include <stop_token>

namespace engine
{

// Stores the first error of several threads, and stops all of them.
class FirstError
{
  public:
    explicit FirstError(const std::stop_token& outer) : m_outer(outer, Stop{this}) {}

    std::stop_token token() const { return m_stop.get_token(); }

    // Runs a stage; stores what it throws if that is the first error.
    template <typename Stage>
    void guard(const Stage& stage)
    {
        try {
            stage();
        } catch (...) {
            const std::lock_guard lock(m_mutex);
            if (!m_error)
                m_error = std::current_exception();
            m_stop.request_stop();
        }
    }

    void rethrow() const
    {
        if (m_error)
            std::rethrow_exception(m_error);
    }

  private:
    struct Stop {
        FirstError* errors;
        void operator()() const { errors->m_stop.request_stop(); }
    };
    std::mutex m_mutex;
    std::exception_ptr m_error;
    std::stop_source m_stop;
    std::stop_callback<Stop> m_outer; // last member: it may call immediately
};

} // namespace engine
