#include "app/cli/interruption.h"

#include "engine/start_thread.h"

#include <csignal>
#include <cstdlib>
#include <pthread.h>
#include <unistd.h>

namespace cli
{

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
    for (int signal = 0; sigwait(&m_signals, &signal) == 0 && !m_over;)
        if (!m_source.request_stop())
            _exit(130);
}

} // namespace cli
