// SPDX-License-Identifier: GPL-3.0-or-later
// How often which values and which differences to the reference are in the chosen area, for all visible settings.
// Counted beside the window, while this is looked at.
#pragma once

#include "ui/numbers/histogram_curves.h"
#include "ui/numbers/late_figures.h"

#include <QWidget>

class QCheckBox;
class QLabel;

namespace ui
{

class HistogramPlot;

class HistogramPanel : public QWidget
{
    Q_OBJECT
  public:
    explicit HistogramPanel(QWidget* parent = nullptr);

    void show(const Comparison& comparison);
    void clear();

    const HistogramCurves& curves() const;

  protected:
    void showEvent(QShowEvent* event) override;

  private:
    void want();
    void fill();
    QString said(const HistogramCurves& curves) const;
    FigureOf rangeOf(const Compared& one) const;
    FigureOf countsOf(const Compared& one) const; // in the bins of all

    Comparison m_shown;
    engine::HistogramRange m_values, m_errors; // of all, once their ranges are known
    LateFigures<AreaRanges> m_ranges;
    LateFigures<AreaHistograms> m_counts;
    QLabel* m_line;
    QCheckBox* m_logarithmic;
    HistogramPlot* m_plot;
};

} // namespace ui
