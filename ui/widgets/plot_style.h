// SPDX-License-Identifier: GPL-3.0-or-later
// How plots look in this window: axes, legends, labels in the colours of the theme.
#pragma once

#include "ui/widgets/curve_colours.h"

#include <qcustomplot.h>

namespace ui
{

// A plot whose pixels are those of the screen that it is on.
class Plot : public QCustomPlot
{
    Q_OBJECT
  public:
    using QCustomPlot::QCustomPlot;

  protected:
    void paintEvent(QPaintEvent* event) override;
};

QFont plotFont(const QFont& font); // of tick labels and legends, a little smaller
void styleAxes(QCPAxisRect* rect, const CurveColours& colours, const QFont& font);
void styleLegend(QCPLegend* legend, const CurveColours& colours, const QFont& font);
// Rows over columns, without a frame, at the upper right of its plot.
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
