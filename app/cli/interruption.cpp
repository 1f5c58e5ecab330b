// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/interruption.h"

#include "app/cli/last_words.h"
#include "engine/base/start_thread.h"
#include "engine/base/stopwatch.h"
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

constexpr double sameSignal = 0.2;                   // seconds
constexpr timespec patience{0, 700'000'000}, none{}; // 0.7 s of the second that a user may wait

} // namespace

Interruption::Interruption()
{
    std::signal(SIGXFSZ, SIG_IGN); // exceeding a file size limit then fails like a full disk: with an error message
    sigemptyset(&m_signals);
    sigaddset(&m_signals, SIGTERM); // the destructor sends it, too, to end the watcher
    for (const int signal : {SIGINT, SIGHUP}) {
        struct sigaction action = {};
        // nohup, and shells that run jobs in the background, ignore these signals on purpose.
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
    // A second signal ends the wait earlier, unless it is the same one: timeout(1) sends its signal to the program and
    // to its group.
    const engine::Stopwatch since;
    for (bool waits = true; waits && !m_over;) {
        const bool isSignal = sigtimedwait(&m_signals, nullptr, &patience) >= 0;
        waits = isSignal ? since.seconds() < sameSignal : app::keepsWhatIsDone.load();
    }
    // Creating or renaming a file is soon done, so wait for it; only a third signal ends the program without waiting.
    while (!m_over && !engine::removeLeftovers()) {
        if (sigtimedwait(&m_signals, nullptr, &none) >= 0)
            break;
    }
    if (m_over)
        return;
    if (::isatty(STDERR_FILENO) == 1)
        app::write("\r\033[K"); // wipes the progress bar
    if (const char* words = app::cancelledWords.load())
        app::say(words);
    _exit(130);
}

} // namespace cli
