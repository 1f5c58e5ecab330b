// SPDX-License-Identifier: GPL-3.0-or-later
// What the visible settings have in common with their references at each fineness: Fourier ring correlation over the
// ratio of powers. Computed beside the window, while this is looked at.
#pragma once

#include "ui/numbers/late_figures.h"
#include "ui/numbers/spectra_curves.h"

#include <QWidget>

class QLabel;

namespace ui
{

class SpectraPlot;

class SpectraPanel : public QWidget
{
    Q_OBJECT
  public:
    explicit SpectraPanel(QWidget* parent = nullptr);

    void show(const Comparison& comparison);
    void clear();

    const SpectraCurves& curves() const;

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
