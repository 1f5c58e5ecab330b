// SPDX-License-Identifier: GPL-3.0-or-later
// How long threads of this process had to wait for a core of the processor.
#pragma once

#include <chrono>
#include <optional>

namespace engine
{

// Measures from its construction. Other programs, and other threads of this one, that want the same cores make threads
// wait; idle threads don't.
class CoreWaiting
{
  public:
    CoreWaiting();

    // Returns the time that all threads together were ready to run without a core, divided by the time that passed and
    // by `threads`; 0: none waited. Nothing if the system doesn't count it (Linux: /proc/self/task/*/schedstat).
    std::optional<double> share(int threads) const;

  private:
    std::chrono::steady_clock::time_point m_start;
    std::optional<double> m_waited; // seconds, until then
};

// Share from which a measured speed is said to be slowed by other work.
inline constexpr double slowedShare = 0.1;

} // namespace engine
