#include "app/cli/progress_bar.h"

#include <algorithm>
#include <cstdio>
#include <sys/ioctl.h>
#include <unistd.h>

namespace cli
{

ProgressBar::ProgressBar() : m_terminal(::isatty(STDERR_FILENO) == 1) {}

ProgressBar::~ProgressBar()
{
    if (m_drawn)
        std::fputs("\r\033[K", stderr);
}

void ProgressBar::show(double fraction, const std::string& what)
{
    using namespace std::chrono_literals;
    if (!m_terminal)
        return;
    const std::lock_guard lock(m_mutex);
    m_fraction = std::clamp(fraction, m_fraction, 1.0);
    const auto now = std::chrono::steady_clock::now();
    if (m_drawn && now - m_last < 100ms)
        return;
    m_last = now;
    m_drawn = true;
    constexpr int cells = 30;
    const auto full = static_cast<std::size_t>(m_fraction * cells);
    std::string line = "[";
    line.append(full, '#').append(cells - full, '.');
    line += "] " + std::to_string(static_cast<int>(m_fraction * 100)) + " %  " + what;
    // A line that wraps can't be drawn over.
    winsize window = {};
    if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 0)
        line.resize(std::min<std::size_t>(line.size(), window.ws_col - 1u));
    std::fprintf(stderr, "\r%s\033[K", line.c_str());
    std::fflush(stderr);
}

} // namespace cli
