// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/interruption.h"

#include "app/cli/last_words.h"
#include "engine/base/start_thread.h"
#include "engine/io/files/exit_cleanup.h"

#include <csignal>
#include <cstdlib>
#include <ctime>
#include <pthread.h>
#include <unistd.h>

namespace cli
{

namespace
{

constexpr timespec patience{0, 700'000'000}, none{}; // of a second that the user waits

} // namespace

Interruption::Interruption()
{
    std::signal(SIGXFSZ, SIG_IGN); // a file that may not grow is a disk that is full: said, and cleared away
    sigemptyset(&m_signals);
    sigaddset(&m_signals, SIGTERM); // ends the watcher too
    for (const int signal : {SIGINT, SIGHUP}) {
        struct sigaction action = {};
        // nohup and shells that run jobs in the background ignore these on purpose.
        if (sigaction(signal, nullptr, &action) == 0 && action.sa_handler != SIG_IGN)
            sigaddset(&m_signals, signal);
    }
    pthread_sigmask(SIG_BLOCK, &m_signals, nullptr);
    m_watcher = engine::startThread([this] { wait(); });
}

Interruption::~Interruption()
{
    m_over = true;
    pthread_kill(m_watcher.native_handle(), SIGTERM);
}

void Interruption::wait()
{
    int signal = 0;
    if (sigwait(&m_signals, &signal) != 0 || m_over)
        return;
    m_source.request_stop();
    sigtimedwait(&m_signals, nullptr, &patience); // the second ends it earlier
    // Files that are just being created or named are soon done; only a third signal doesn't wait for that.
    while (!m_over && !engine::removeLeftovers()) {
        if (sigtimedwait(&m_signals, nullptr, &none) >= 0)
            break;
    }
    if (m_over)
        return;
    if (::isatty(STDERR_FILENO) == 1)
        app::write("\r\033[K"); // the bar
    if (const char* words = app::cancelledWords.load())
        app::say(words);
    _exit(130);
}

} // namespace cli
