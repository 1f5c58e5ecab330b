// SPDX-License-Identifier: GPL-3.0-or-later
// Horizontal bars, one per setting: its speed, the middle half of its runs, and a diamond at the paper's multiple of
// the first bar.
#pragma once

#include "ui/numbers/speeds_panel.h"

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

    std::vector<SpeedBar> m_bars;
};

} // namespace ui
