// SPDX-License-Identifier: GPL-3.0-or-later
// Counts images per second over the last second.
#pragma once

#include <deque>

namespace ui
{

class FrameRate
{
  public:
    // seconds: a steady time, which never decreases.
    void add(double seconds)
    {
        m_times.push_back(seconds);
        while (m_times.size() > 1 && m_times.front() < seconds - span)
            m_times.pop_front();
    }
    void restart() { m_times.clear(); }
    // Returns images per second between the first and the last image; 0 before the third.
    double perSecond() const
    {
        const double between = m_times.size() < 3 ? 0 : m_times.back() - m_times.front();
        return between > 0 ? static_cast<double>(m_times.size() - 1) / between : 0;
    }

  private:
    static constexpr double span = 1;
    std::deque<double> m_times;
};

} // namespace ui
