// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/end_signals.h"

#include <QSocketNotifier>

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <unistd.h>

namespace ui
{

namespace
{

constexpr int endSignals[] = {SIGTERM, SIGINT, SIGHUP};
int s_pipe[2] = {-1, -1}; // global, because signal handlers can't access anything else

void tell(int /*signal*/)
{
    const int before = errno; // of the interrupted code
    const char byte = 0;
    // If the pipe is full, a notification is already pending.
    [[maybe_unused]] const auto written = ::write(s_pipe[1], &byte, 1);
    errno = before;
}

} // namespace

EndSignals::EndSignals()
{
    if (::pipe2(s_pipe, O_CLOEXEC | O_NONBLOCK) != 0)
        return; // the signals end the program, as by default
    m_notifier = new QSocketNotifier(s_pipe[0], QSocketNotifier::Read, this);
    connect(m_notifier, &QSocketNotifier::activated, this, [this] {
        char byte = 0;
        while (::read(s_pipe[0], &byte, 1) > 0) {
        }
        emit asked();
    });
    for (const int signal : endSignals) {
        struct sigaction action = {};
        // nohup and shells running background jobs ignore some signals on purpose.
        if (sigaction(signal, nullptr, &action) != 0 || action.sa_handler == SIG_IGN)
            continue;
        action = {};
        action.sa_handler = tell;
        action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);
        sigemptyset(&action.sa_mask);
        sigaction(signal, &action, nullptr);
    }
}

EndSignals::~EndSignals()
{
    if (!m_notifier)
        return;
    for (const int signal : endSignals) {
        struct sigaction action = {};
        if (sigaction(signal, nullptr, &action) == 0 && action.sa_handler == tell)
            std::signal(signal, SIG_DFL);
    }
    delete m_notifier;
    for (int& end : s_pipe) {
        ::close(end);
        end = -1;
    }
}

} // namespace ui
