// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/background/job_progress.h"

#include "ui/widgets/displayed_number.h"

namespace ui
{

namespace
{

constexpr double timeLeftEverySeconds = 0.5; // unreadable if it changes more often

} // namespace

bool JobProgress::isDue()
{
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
    std::int64_t last = m_lastMs.load();
    return ms - last >= 50 && m_lastMs.compare_exchange_strong(last, ms);
}

bool JobProgress::update(const QString& image, const std::optional<double>& secondsLeft)
{
    const auto now = std::chrono::steady_clock::now();
    const bool isAnother = image != m_of;
    if (!isAnother && (!secondsLeft || std::chrono::duration<double>(now - m_shown).count() < timeLeftEverySeconds))
        return false;
    m_of = image;
    m_shown = now;
    m_timeLeft = secondsLeft ? timeLeftText(*secondsLeft) : QString();
    return true;
}

} // namespace ui
