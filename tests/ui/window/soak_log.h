// SPDX-License-Identifier: GPL-3.0-or-later
// Information for repeating random actions: the seed and the last actions, printed when the test fails, the program
// crashes or it hangs.
#pragma once

#include <QByteArray>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <execinfo.h>
#include <filesystem>
#include <malloc.h>
#include <pthread.h>
#include <string>
#include <thread>
#include <unistd.h>

namespace soak
{

class Log
{
  public:
    explicit Log(unsigned seed)
    {
        s_log = this;
        void* one = nullptr;
        ::backtrace(&one, 1); // loads its library, which a signal handler cannot
        const QByteArray text = "\nseed " + QByteArray::number(seed) + ", the last acts:\n";
        std::snprintf(m_head.data(), m_head.size(), "%s", text.constData());
        for (const int& signal : fatal)
            m_before[std::size_t(&signal - fatal)] = std::signal(signal, crashed);
    }
    ~Log()
    {
        for (const int& signal : fatal)
            std::signal(signal, m_before[std::size_t(&signal - fatal)]);
        s_log = nullptr;
    }
    Log(const Log&) = delete;
    Log& operator=(const Log&) = delete;

    void add(const QByteArray& line)
    {
        const int k = m_count;
        std::snprintf(m_lines[std::size_t(k % kept)].data(), width, "%s\n", line.left(width - 2).constData());
        m_count = k + 1;
    }
    // Adds text to the last action.
    void say(const QByteArray& more)
    {
        auto& line = m_lines[std::size_t((m_count - 1) % kept)];
        const std::size_t length = std::strlen(line.data());
        if (length > 0 && length + std::size_t(more.size()) + 2 < width)
            std::snprintf(line.data() + length - 1, width - length, " %s\n", more.constData());
    }
    // Prints to stderr; can be called from a signal handler.
    void print() const
    {
        put(m_head.data());
        for (int k = std::max(0, m_count - kept); k < m_count; ++k)
            put(m_lines[std::size_t(k % kept)].data());
    }

  private:
    static constexpr int kept = 20;
    static constexpr std::size_t width = 240;
    static constexpr int fatal[] = {SIGSEGV, SIGABRT, SIGFPE, SIGILL, SIGBUS, SIGTERM};

    static void put(const char* text)
    {
        [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text, std::strlen(text));
    }
    // Prints the stack of calls as places in programs and libraries (addr2line -Cfe PROGRAM PLACE names them).
    static void printCalls()
    {
        std::array<void*, 60> calls;
        ::backtrace_symbols_fd(calls.data(), ::backtrace(calls.data(), int(calls.size())), STDERR_FILENO);
    }
    static void crashed(int signal)
    {
        std::signal(signal, SIG_DFL);
        if (s_log)
            s_log->print();
        printCalls();
        std::raise(signal);
    }

    static inline Log* s_log = nullptr;
    std::array<char, 80> m_head = {};
    std::array<std::array<char, width>, kept> m_lines = {};
    std::atomic<int> m_count = 0;
    std::array<void (*)(int), std::size(fatal)> m_before = {};
};

// Ends the program if an action takes longer than `limit`, and prints in which call. Create it in the thread of the
// actions.
class Watchdog
{
  public:
    explicit Watchdog(std::chrono::milliseconds limit)
        : m_thread([this, limit, watched = ::pthread_self()](const std::stop_token& stop) {
              while (!stop.stop_requested()) {
                  std::this_thread::sleep_for(std::chrono::milliseconds(100));
                  const auto since = m_since.load();
                  if (since != Clock::duration::zero() && Clock::now().time_since_epoch() - since > limit) {
                      std::fputs("the window hangs", stderr);
                      ::pthread_kill(watched, SIGABRT); // its handler prints the stack
                      return;
                  }
              }
          })
    {
    }
    void begin() { m_since = Clock::now().time_since_epoch(); }
    void end() { m_since = Clock::duration::zero(); }

  private:
    using Clock = std::chrono::steady_clock;
    std::atomic<Clock::duration> m_since = Clock::duration::zero();
    std::jthread m_thread;
};

// Returns the memory in use, without freed memory that malloc retains, however fragmented.
inline double heldBytes()
{
    const struct mallinfo2 info = ::mallinfo2();
    return static_cast<double>(info.uordblks) + static_cast<double>(info.hblkhd);
}

inline int openFiles()
{
    const std::filesystem::directory_iterator files("/proc/self/fd");
    return int(std::distance(begin(files), end(files)));
}

} // namespace soak
