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
    bool isDue(); // at most 20 times a second; of any thread

    // In one thread.
    void restart() { m_of.clear(); } // the next time left is that of another image
    // True where it is to be shown: of another image, or another number once the last one could be read.
    bool update(const QString& image, const std::optional<double>& secondsLeft);
    const QString& timeLeft() const { return m_timeLeft; } // "12 s left"; empty while it isn't known

  private:
    std::atomic<std::int64_t> m_lastMs = 0;
    QString m_timeLeft; // as last shown, of the image `m_of`
    QString m_of;
    std::chrono::steady_clock::time_point m_shown;
};

} // namespace ui
