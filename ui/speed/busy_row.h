// SPDX-License-Identifier: GPL-3.0-or-later
// A row with the stage and the progress of current work and a button to cancel it.
#pragma once

#include <QTimer>
#include <QWidget>

class QLabel;
class QProgressBar;

namespace ui
{

// Appears only if the work takes longer than a moment. Its room is reserved while it is hidden, so that nothing
// moves.
class BusyRow : public QWidget
{
    Q_OBJECT
  public:
    explicit BusyRow(QLabel* stage); // takes ownership

    void setBusy(bool busy, const QString& stage, double fraction);

  signals:
    void cancelRequested();

  private:
    QLabel* m_stage;
    QProgressBar* m_progress;
    QTimer m_delay;
};

} // namespace ui
