// SPDX-License-Identifier: GPL-3.0-or-later
// Horizontal bars, one per setting: its speed, the spread of its runs, and diamonds at the paper's multiples of the
// first bar; in a column beside them the error of its image.
#pragma once

#include "ui/numbers/speeds_panel.h"
#include "ui/widgets/bar_marks.h"

namespace ui
{

class SpeedBarChart : public QWidget
{
    Q_OBJECT
  public:
    explicit SpeedBarChart(QWidget* parent = nullptr);

    void setBars(const std::vector<SpeedBar>& bars);
    QString textOf(const SpeedBar& bar) const; // "1022 GU/s × 1.18, paper × 1.36"
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    int rowHeight() const;
    void drawBar(QPainter& painter, const SpeedBar& bar, const QRectF& track, double most) const;

    std::vector<SpeedBar> m_bars;
    ErrorColumn m_errors;
};

} // namespace ui
