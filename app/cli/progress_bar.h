// A bar on standard error while it is a terminal; nothing in a pipe or a file.
#pragma once

#include <chrono>
#include <mutex>
#include <string>

namespace cli
{

class ProgressBar
{
  public:
    ProgressBar();
    ~ProgressBar(); // wipes the bar

    ProgressBar(const ProgressBar&) = delete;
    ProgressBar& operator=(const ProgressBar&) = delete;

    // fraction in [0, 1]; never drawn backwards. From any thread.
    void show(double fraction, const std::string& what);

  private:
    std::mutex m_mutex;
    bool m_terminal = false;
    bool m_drawn = false;
    double m_fraction = 0;
    std::chrono::steady_clock::time_point m_last;
};

} // namespace cli
