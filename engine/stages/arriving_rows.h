// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of a scan that are used while they are still being read.
#pragma once

#include "engine/base/stopwatch.h"
#include "engine/request/setting.h"
#include "engine/scan/scan.h"

#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>

namespace engine
{

// Reads the request's projections in a thread of its own, first to last. Any thread may wait for them.
class ArrivingRows
{
  public:
    // Returns whether the scan can be read in blocks of projections, and its preparation can begin with the first ones.
    static bool suit(const Request& request);

    static constexpr double usualBlockBytes = 64 << 20;

    // Reads darks and flats, and starts reading the projections. rows: of the detector. blockBytes: of projections that
    // are read together, at least. Throws Error.
    ArrivingRows(const Request& request, RowRange rows, const std::stop_token& stop,
                 double blockBytes = usualBlockBytes);
    ~ArrivingRows(); // stops reading
    ArrivingRows(const ArrivingRows&) = delete;
    ArrivingRows& operator=(const ArrivingRows&) = delete;

    // All rows, of which only the projections that were waited for have values. Darks and flats are complete.
    const std::shared_ptr<const RawRows>& raw() const { return m_raw; }

    // Waits until the first `projections` ones have been read. Throws the Error of reading, and Error(cancelled).
    void waitFor(int projections) const;
    double waitForAll() const; // returns the seconds that reading took

  private:
    void work(const Request& request, RawRows& raw);

    struct Stop {
        std::stop_source* source;
        void operator()() const { source->request_stop(); }
    };
    Stopwatch m_watch;
    std::shared_ptr<const RawRows> m_raw;
    int m_each = 1; // projections per block
    mutable std::mutex m_mutex;
    mutable std::condition_variable m_changed;
    int m_arrived = 0;
    double m_seconds = 0;
    std::exception_ptr m_error;
    std::stop_source m_stop;
    std::stop_callback<Stop> m_outer;
    std::jthread m_thread; // last, because it uses the other members
};

} // namespace engine
