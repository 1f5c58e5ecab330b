// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/background/task_row.h"

#include "ui/background/background_task.h"
#include "ui/widgets/displayed_number.h"

#include <utility>

namespace ui
{

TaskRow::TaskRow(BackgroundTask& task, const QString& cancelTip, QLabel* label) : BusyRow(label, cancelTip)
{
    const auto end = [this] { setBusy(false); };
    connect(&task, &BackgroundTask::progressed, this, &TaskRow::setFraction);
    connect(&task, &BackgroundTask::succeeded, this, end);
    connect(&task, &BackgroundTask::failed, this, end);
    connect(&task, &BackgroundTask::cancelled, this, end);
    connect(this, &BusyRow::cancelRequested, &task, [this, &task] { m_cancel ? m_cancel() : task.cancel(); });
}

void TaskRow::begin(const QString& text, std::function<void()> cancel)
{
    m_doing = text;
    m_cancel = std::move(cancel);
    m_begunAt.reset();
    setBusy(true, text);
}

void TaskRow::setFraction(double fraction)
{
    if (!isBusy())
        return;
    if (!m_begunAt) { // an earlier run may have done a part
        m_begunAt = fraction;
        m_begun.start();
    }
    const double made = (fraction - *m_begunAt) / (1 - *m_begunAt);
    setBusy(true, m_doing, fraction, timeLeftAt(made, double(m_begun.elapsed()) / 1e3));
}

QString timeLeftAt(double fraction, double elapsedSeconds)
{
    constexpr double soonest = 2, leastFraction = 0.03;
    if (elapsedSeconds < soonest || !(fraction >= leastFraction && fraction <= 1))
        return {};
    return timeLeftText(elapsedSeconds * (1 - fraction) / fraction);
}

} // namespace ui
