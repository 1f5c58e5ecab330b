// SPDX-License-Identifier: GPL-3.0-or-later
// A progress bar on standard error if it is a terminal; otherwise nothing, or an occasional line.
#pragma once

#include "engine/base/stopwatch.h"

#include <atomic>
#include <chrono>
#include <mutex>
#include <string>

namespace cli
{

class ProgressBar
{
  public:
    // inLines: if standard error is no terminal (a pipe, a file, or a launcher in between), prints a line for each
    // tenth and at least one per minute, but never sooner than `between` after the previous line.
    explicit ProgressBar(bool inLines = false, std::chrono::milliseconds between = std::chrono::seconds(1));
    ~ProgressBar(); // wipes the bar

    ProgressBar(const ProgressBar&) = delete;
    ProgressBar& operator=(const ProgressBar&) = delete;

    // Shows progress. fraction in [0, 1]; a smaller fraction than before is ignored. Callable from any thread.
    void show(double fraction, const std::string& what);

    // Prints a line before or between those of `show`; a bar shows the text instead.
    void announce(const std::string& text);

  private:
    bool isLineDue(std::chrono::steady_clock::time_point now) const;

    std::mutex m_mutex;
    bool m_terminal = false;
    bool m_inLines = false;
    std::chrono::milliseconds m_between;
    bool m_drawn = false;
    double m_fraction = 0, m_said = 0; // m_said: fraction of the last line
    std::chrono::steady_clock::time_point m_last;
};

// Progress of a measurement that may take minutes: a bar or lines, with the time left. The expected time is announced
// as soon as it is known.
class MeasurementProgress
{
  public:
    explicit MeasurementProgress(const std::string& announcement);

    void show(double fraction, const std::string& what); // callable from any thread

  private:
    ProgressBar m_bar{true};
    const engine::Stopwatch m_watch;
    std::atomic<bool> m_isExpected = false; // the expected time was announced
};

} // namespace cli
