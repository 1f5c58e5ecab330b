// SPDX-License-Identifier: GPL-3.0-or-later
// A full-screen show for open days: kernels, their images, speed beside quality. Any key ends it.
#pragma once

#include "ui/image/shading.h"
#include "ui/stand/stand_run.h"

#include <QTimer>
#include <QWidget>

namespace ui
{

class StandMode : public QWidget
{
    Q_OBJECT
  public:
    explicit StandMode(const engine::Request& request, double secondsPerStep = 6, QWidget* parent = nullptr);

    StandState state() const { return m_run.state(); }

  protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    bool event(QEvent* event) override;

  private:
    void paintImage(QPainter& painter, const QRectF& place, const StandState& state);
    void paintSpeed(QPainter& painter, const QRectF& place, const StandState& state);
    void paintBars(QPainter& painter, const QRectF& place, const StandState& state);

    StandRun m_run;
    QTimer m_redraw;
    GreyWindow m_window; // of the first image, so that all are comparable
    bool m_hasWindow = false;
};

} // namespace ui
