// SPDX-License-Identifier: GPL-3.0-or-later
// A row that shows a background task while it runs: its progress, the remaining time and a button to cancel it.
#pragma once

#include "ui/widgets/busy_row.h"

#include <QElapsedTimer>

#include <functional>
#include <optional>

class QLabel;

namespace ui
{

class BackgroundTask;

// All long tasks with a progress of their own are shown by such a row.
class TaskRow : public BusyRow
{
    Q_OBJECT
  public:
    // cancelTip: what the button stops. label: for the text; takes ownership.
    TaskRow(BackgroundTask& task, const QString& cancelTip, QLabel* label);

    // The task starts. cancel: called instead of cancelling it immediately.
    void begin(const QString& text, std::function<void()> cancel = {});

  private:
    void setFraction(double fraction);

    QString m_doing;
    std::function<void()> m_cancel;
    std::optional<double> m_begunAt; // the first fraction
    QElapsedTimer m_begun;           // since then
};

// Returns the remaining time, such as "12 s left", of work of which this fraction is done. Empty while an estimate
// would be unreliable.
QString timeLeftAt(double fraction, double elapsedSeconds);

} // namespace ui
