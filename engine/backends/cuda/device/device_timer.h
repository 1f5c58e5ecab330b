// SPDX-License-Identifier: GPL-3.0-or-later
// Times of work on a GPU, from events.
#pragma once

#include "engine/backends/cuda/device/stream.h"

#include <cstddef>
#include <deque>

namespace engine::cuda
{

// Adds up the times of pieces of work on streams. Keeps its events from launch to launch.
class DeviceTimer
{
  public:
    struct Span {
        Event begun, ended; // ended: recorded by whoever does the work
        double seconds() const { return ended.secondsSince(begun); }
    };

    Span& next() // whose beginning isn't recorded yet; stays at its address
    {
        if (m_used == m_spans.size())
            m_spans.emplace_back();
        return m_spans[m_used++];
    }
    Span& begin(cudaStream_t stream)
    {
        Span& span = next();
        span.begun.record(stream);
        return span;
    }
    // Returns the newest span; ago: that of so many pieces before.
    Span& last(std::size_t ago = 0) { return m_spans[m_used - 1 - ago]; }
    std::size_t size() const { return m_used; }
    // Returns the seconds of all pieces, which must have ended, and forgets them.
    double take()
    {
        double seconds = 0;
        for (std::size_t k = 0; k < m_used; ++k)
            seconds += m_spans[k].seconds();
        m_used = 0;
        return seconds;
    }
    void clear() { m_used = 0; }

  private:
    std::deque<Span> m_spans;
    std::size_t m_used = 0;
};

} // namespace engine::cuda
