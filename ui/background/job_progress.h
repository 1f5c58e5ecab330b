// SPDX-License-Identifier: GPL-3.0-or-later
// Progress of a reconstruction: limits how often it is reported, and holds the time left that was reported last.
#pragma once

#include <QString>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>

namespace ui
{

class JobProgress
{
  public:
    bool isDue(); // at most 20 times per second; thread-safe

    // These functions are not thread-safe.
    void restart() { m_of.clear(); } // the next time left belongs to another image
    // Returns true if the time left should be shown: for another image, or when the last number was shown long
    // enough.
    bool update(const QString& image, const std::optional<double>& secondsLeft);
    const QString& timeLeft() const { return m_timeLeft; } // "12 s left"; empty if unknown

  private:
    std::atomic<std::int64_t> m_lastMs = 0;
    QString m_timeLeft; // as last shown, for the image `m_of`
    QString m_of;
    std::chrono::steady_clock::time_point m_shown;
};

} // namespace ui
