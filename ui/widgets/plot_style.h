// SPDX-License-Identifier: GPL-3.0-or-later
// The style of plots: axes, legends and labels in the colours of the theme.
#pragma once

#include "ui/widgets/curve_colours.h"

#include <qcustomplot.h>

namespace ui
{

// A plot with the resolution of its screen.
class Plot : public QCustomPlot
{
    Q_OBJECT
  public:
    using QCustomPlot::QCustomPlot;

  protected:
    void paintEvent(QPaintEvent* event) override;
};

QFont plotFont(const QFont& font); // for tick labels and legends: slightly smaller
void styleAxes(QCPAxisRect* rect, const CurveColours& colours, const QFont& font);
void styleLegend(QCPLegend* legend, const CurveColours& colours, const QFont& font);
// Adds a legend without a frame at the upper right of its plot, filled row by row.
QCPLegend* addLegend(QCPAxisRect* rect);

// The ticks of log_ticks.h.
class LogTicker : public QCPAxisTicker
{
  public:
    explicit LogTicker(bool asPowers) : m_asPowers(asPowers) {}

  protected:
    QVector<double> createTickVector(double step, const QCPRange& range) override;
    QVector<double> createSubTickVector(int count, const QVector<double>& ticks) override;
    QString getTickLabel(double tick, const QLocale& locale, QChar formatChar, int precision) override;

  private:
    bool m_asPowers;
};

} // namespace ui
