// SPDX-License-Identifier: GPL-3.0-or-later
// A bar on standard error while it is a terminal; in a pipe or a file nothing, or a line now and then.
#pragma once

#include <chrono>
#include <mutex>
#include <string>

namespace cli
{

class ProgressBar
{
  public:
    // inLines: where there is no terminal, or a launcher stands between: a line for each tenth, each so long after the
    // one before at least, and one a minute.
    explicit ProgressBar(bool inLines = false, std::chrono::milliseconds between = std::chrono::seconds(1));
    ~ProgressBar(); // wipes the bar

    ProgressBar(const ProgressBar&) = delete;
    ProgressBar& operator=(const ProgressBar&) = delete;

    // fraction in [0, 1]; never drawn backwards. From any thread.
    void show(double fraction, const std::string& what);

  private:
    bool isLineDue(std::chrono::steady_clock::time_point now) const;

    std::mutex m_mutex;
    bool m_terminal = false;
    bool m_inLines = false;
    std::chrono::milliseconds m_between;
    bool m_drawn = false;
    double m_fraction = 0, m_said = 0; // said: of the last line
    std::chrono::steady_clock::time_point m_last;
};

} // namespace cli
