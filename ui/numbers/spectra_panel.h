// SPDX-License-Identifier: GPL-3.0-or-later
// Agreement of the visible settings with their references at each spatial frequency: Fourier ring correlation, and
// below it the ratio of powers. Computed in the background while the panel is visible.
#pragma once

#include "ui/numbers/late_figures.h"
#include "ui/numbers/numbers_page.h"
#include "ui/numbers/spectra_plot.h"

namespace ui
{

class SpectraPanel : public PlotPage<SpectraPlot>
{
    Q_OBJECT
  public:
    explicit SpectraPanel(QWidget* parent = nullptr);

    void clear();

  private:
    void want() override;
    void fill() override;
    FigureOf figureOf(const Compared& one) const;

    LateFigures<engine::RingSpectra> m_spectra;
    QLabel* m_line;
};

} // namespace ui
