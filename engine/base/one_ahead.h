// SPDX-License-Identifier: GPL-3.0-or-later
// Items that a thread makes one ahead of the thread that uses them.
#pragma once

#include "engine/base/blocking_queue.h"
#include "engine/base/start_thread.h"
#include "engine/base/stopwatch.h"

#include <exception>
#include <functional>
#include <stop_token>
#include <thread>
#include <utility>

namespace engine
{

template <typename T>
class OneAhead
{
  public:
    using Make = std::function<T(int item, const std::stop_token& stop)>;

    // Makes items 0 to count - 1 in a thread of its own. Throws Error if no thread can be started.
    OneAhead(int count, Make make, const std::stop_token& stop)
        : m_count(count), m_make(std::move(make)), m_outer(stop, Stop{&m_stop}),
          m_thread(startThread([this] { work(m_stop.get_token()); }))
    {
    }
    ~OneAhead() { m_stop.request_stop(); }
    OneAhead(const OneAhead&) = delete;
    OneAhead& operator=(const OneAhead&) = delete;

    // Returns the next item. Throws the errors of making it, and Error(cancelled).
    T take()
    {
        Made made = m_made.take(m_stop.get_token());
        if (made.error)
            std::rethrow_exception(made.error);
        m_seconds += made.seconds;
        return std::move(made.item);
    }
    double seconds() const { return m_seconds; } // of making the items taken so far

  private:
    struct Made {
        T item = {};
        double seconds = 0;
        std::exception_ptr error = {};
    };
    struct Stop {
        std::stop_source* source;
        void operator()() const { source->request_stop(); }
    };

    void work(const std::stop_token& stop)
    {
        try {
            for (int item = 0; item < m_count; ++item) {
                const Stopwatch watch;
                Made made;
                try {
                    made.item = m_make(item, stop);
                } catch (...) {
                    made.error = std::current_exception();
                }
                made.seconds = watch.seconds();
                m_made.give(std::move(made), stop);
            }
        } catch (const Error&) { // stopped: nobody waits for items any more
        }
    }

    const int m_count;
    const Make m_make;
    std::stop_source m_stop;
    std::stop_callback<Stop> m_outer;
    BlockingQueue<Made> m_made;
    double m_seconds = 0;
    std::jthread m_thread; // last, because it uses the other members
};

} // namespace engine
