// SPDX-License-Identifier: GPL-3.0-or-later
// Work under way: its stage, how far it is, and a button that stops it; shown only when it lasts.
#pragma once

#include <QTimer>
#include <QWidget>

class QLabel;
class QProgressBar;

namespace ui
{

// Its room stays reserved while it is hidden, so that nothing moves when work begins.
class BusyRow : public QWidget
{
    Q_OBJECT
  public:
    explicit BusyRow(QLabel* stage); // which it takes over

    void setBusy(bool busy, const QString& stage, double fraction);

  signals:
    void cancelRequested();

  private:
    QLabel* m_stage;
    QProgressBar* m_progress;
    QTimer m_delay;
};

} // namespace ui
