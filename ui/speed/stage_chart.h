// SPDX-License-Identifier: GPL-3.0-or-later
// A bar chart of the seconds per stage; bars are hatched if the result came from the cache.
#pragma once

#include "engine/reconstruct/reconstruction.h"

#include <QVector>
#include <QWidget>

namespace ui
{

class StageChart : public QWidget
{
    Q_OBJECT
  public:
    explicit StageChart(QWidget* parent = nullptr);

    void setTimings(const engine::Timings& timings);
    void clear();
    QSize sizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

  private:
    struct Row {
        QString label, explanation;
        double seconds = -1; // negative: not known yet
        bool reused = false;
    };
    int rowHeight() const;

    QVector<Row> m_rows;
};

} // namespace ui
