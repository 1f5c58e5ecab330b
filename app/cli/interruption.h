// SPDX-License-Identifier: GPL-3.0-or-later
// Ctrl-C, termination and a closed terminal become a request to stop.
#pragma once

#include <atomic>
#include <csignal>
#include <stop_token>
#include <thread>

namespace cli
{

// Blocks SIGINT, SIGTERM and SIGHUP (those that aren't ignored) in this thread, and in those that it
// starts from here on, so that a thread of its own can wait for them: nothing runs inside a signal
// handler. The first asks to stop; where that isn't noticed within `patience`, inside a library for one, and with the
// second, the program is ended with status 130, and what it has begun to write is removed: after files that are just
// being created or named, unless a third comes.
// Make it before any other thread.
class Interruption
{
  public:
    Interruption();
    ~Interruption();
    Interruption(const Interruption&) = delete;
    Interruption& operator=(const Interruption&) = delete;

    std::stop_token token() const { return m_source.get_token(); }

  private:
    void wait();

    sigset_t m_signals;
    std::stop_source m_source;
    std::atomic<bool> m_over = false;
    std::jthread m_watcher; // last: uses the rest
};

} // namespace cli
