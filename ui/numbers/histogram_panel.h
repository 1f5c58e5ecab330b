// SPDX-License-Identifier: GPL-3.0-or-later
// Histograms of the values and of the differences to the reference in the chosen area, for all visible settings. They
// are computed in the background while the panel is visible.
#pragma once

#include "ui/numbers/histogram_plot.h"
#include "ui/numbers/late_figures.h"
#include "ui/numbers/numbers_page.h"

namespace ui
{

class HistogramPanel : public PlotPage<HistogramPlot>
{
    Q_OBJECT
  public:
    explicit HistogramPanel(QWidget* parent = nullptr);

    void clear();

  private:
    void want() override;
    void fill() override;
    QString said(const HistogramCurves& curves) const;
    FigureOf rangeOf(const Compared& one) const;
    FigureOf countsOf(const Compared& one) const; // in the bins that all curves share

    engine::HistogramRange m_values, m_errors; // of all settings, once their ranges are known
    LateFigures<AreaRanges> m_ranges;
    LateFigures<AreaHistograms> m_counts;
    QLabel* m_line;
};

} // namespace ui
