// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/progress_bar.h"

#include "app/cli/text.h"
#include "engine/base/printable.h"

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <sys/ioctl.h>
#include <unistd.h>

namespace cli
{

ProgressBar::ProgressBar(bool inLines, std::chrono::milliseconds between)
    : m_terminal(::isatty(STDERR_FILENO) == 1), m_inLines(inLines && !m_terminal), m_between(between),
      m_last(std::chrono::steady_clock::now())
{
}

ProgressBar::~ProgressBar()
{
    if (m_drawn)
        std::fputs("\r\033[K", stderr);
}

void ProgressBar::announce(const std::string& text)
{
    if (!m_inLines)
        return show(m_fraction, text);
    const std::lock_guard lock(m_mutex);
    std::cerr << plain(text) << std::endl;
}

bool ProgressBar::isLineDue(std::chrono::steady_clock::time_point now) const
{
    const auto since = now - m_last;
    return since >= m_between && (m_fraction >= m_said + 0.1 || since >= std::chrono::minutes(1));
}

void ProgressBar::show(double fraction, const std::string& what)
{
    using namespace std::chrono_literals;
    if (!m_terminal && !m_inLines)
        return;
    const std::lock_guard lock(m_mutex);
    m_fraction = std::clamp(fraction, m_fraction, 1.0);
    const auto now = std::chrono::steady_clock::now();
    if (m_inLines ? !isLineDue(now) : m_drawn && now - m_last < 100ms)
        return;
    m_last = now;
    m_said = m_fraction;
    m_drawn = m_terminal;
    constexpr int cells = 30;
    const auto full = static_cast<std::size_t>(m_fraction * cells);
    std::string line = "[";
    line.append(full, '#').append(cells - full, '.');
    line += "] " + std::to_string(static_cast<int>(m_fraction * 100)) + " %  " + plain(what);
    if (m_inLines) {
        std::cerr << line << std::endl; // standard error of all ranks but the first is discarded
        return;
    }
    // A wrapped line cannot be overwritten.
    winsize window = {};
    if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 0)
        line.resize(std::min<std::size_t>(line.size(), window.ws_col - 1u));
    line.resize(line.size() - engine::unfinishedCharacter(line));
    std::fprintf(stderr, "\r%s\033[K", line.c_str());
    std::fflush(stderr);
}

MeasurementProgress::MeasurementProgress(const std::string& announcement)
{
    m_bar.announce(announcement);
}

void MeasurementProgress::show(double fraction, const std::string& what)
{
    constexpr double leastSeconds = 10, leastLeft = 5; // shorter ones tell little; less time is not worth a word
    const double passed = m_watch.seconds(), left = passed * (1 / fraction - 1);
    const bool isKnown = fraction > 0 && passed >= leastSeconds && left >= leastLeft;
    if (isKnown && !m_isExpected.exchange(true))
        m_bar.announce("This takes " + about(passed + left) + ".");
    m_bar.show(fraction, isKnown ? what + ", " + about(left) + " left" : what);
}

} // namespace cli
