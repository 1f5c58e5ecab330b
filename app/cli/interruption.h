// SPDX-License-Identifier: GPL-3.0-or-later
// Ctrl-C, termination and a closed terminal as a request to stop.
#pragma once

#include <atomic>
#include <csignal>
#include <stop_token>
#include <thread>

namespace cli
{

// Blocks SIGTERM, and SIGINT and SIGHUP unless they are ignored, in this thread and in all threads that it starts
// later; a thread of its own waits for them, so nothing runs inside a signal handler. The first signal requests a
// stop. If the program does not stop within `patience` (for example inside a library), or a second signal comes, the
// program is ended with status 130 and its temporary files are removed. This waits for files that are being created
// or renamed, unless a third signal comes.
// Create it before any other thread.
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
    std::jthread m_watcher; // last member: uses the others
};

} // namespace cli
