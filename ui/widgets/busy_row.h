// SPDX-License-Identifier: GPL-3.0-or-later
// A row with the stage, the progress and the remaining time of current work, and a button to cancel it.
#pragma once

#include <QTimer>
#include <QWidget>

class QLabel;
class QProgressBar;
class QToolButton;

namespace ui
{

// Appears only if the work takes longer than a moment.
class BusyRow : public QWidget
{
    Q_OBJECT
  public:
    // stage: takes ownership. cancelTip: what the button stops.
    BusyRow(QLabel* stage, const QString& cancelTip);

    void setBusy(bool busy, const QString& stage = {}, double fraction = 0, const QString& timeLeft = {});
    bool isBusy() const { return !isHidden() || m_delay.isActive(); }
    void showNow(); // if busy
    QString text() const;

  signals:
    void cancelRequested();

  private:
    QLabel *m_stage, *m_left;
    QProgressBar* m_progress;
    QToolButton* m_cancel;
    QTimer m_delay{this};
};

} // namespace ui
