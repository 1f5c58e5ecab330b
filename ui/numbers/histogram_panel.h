// SPDX-License-Identifier: GPL-3.0-or-later
// Histograms of the values and of the differences to the reference in the chosen area, for all visible settings. They
// are computed in the background while the panel is visible.
#pragma once

#include "ui/numbers/histogram_curves.h"
#include "ui/numbers/late_figures.h"
#include "ui/widgets/drawing.h"

#include <QWidget>

class QCheckBox;
class QLabel;

namespace ui
{

class HistogramPlot;

class HistogramPanel : public QWidget, public DrawnPage
{
    Q_OBJECT
  public:
    explicit HistogramPanel(QWidget* parent = nullptr);

    void show(const Comparison& comparison);
    void clear();

    const HistogramCurves& curves() const;
    Drawing drawing() const override;
    QString values() const override;

  protected:
    void showEvent(QShowEvent* event) override;

  private:
    void want();
    void fill();
    QString said(const HistogramCurves& curves) const;
    FigureOf rangeOf(const Compared& one) const;
    FigureOf countsOf(const Compared& one) const; // in the bins that all curves share

    Comparison m_shown;
    engine::HistogramRange m_values, m_errors; // of all settings, once their ranges are known
    LateFigures<AreaRanges> m_ranges;
    LateFigures<AreaHistograms> m_counts;
    QLabel* m_line;
    QCheckBox* m_logarithmic;
    HistogramPlot* m_plot;
};

} // namespace ui
