// SPDX-License-Identifier: GPL-3.0-or-later
// Agreement of the visible settings with their references at each spatial frequency: Fourier ring correlation, and
// below it the ratio of powers. Computed in the background while the panel is visible.
#pragma once

#include "ui/numbers/late_figures.h"
#include "ui/numbers/spectra_curves.h"
#include "ui/widgets/drawing.h"

#include <QWidget>

class QLabel;

namespace ui
{

class SpectraPlot;

class SpectraPanel : public QWidget, public DrawnPage
{
    Q_OBJECT
  public:
    explicit SpectraPanel(QWidget* parent = nullptr);

    void show(const Comparison& comparison);
    void clear();

    const SpectraCurves& curves() const;
    Drawing drawing() const override;
    QString values() const override;

  protected:
    void showEvent(QShowEvent* event) override;

  private:
    void want();
    void fill();
    FigureOf figureOf(const Compared& one) const;

    Comparison m_shown;
    LateFigures<engine::RingSpectra> m_spectra;
    QLabel* m_line;
    SpectraPlot* m_plot;
};

} // namespace ui
