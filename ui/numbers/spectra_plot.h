// SPDX-License-Identifier: GPL-3.0-or-later
// Two stacked plots over the frequency: Fourier ring correlation with its threshold, and the ratio of powers.
#pragma once

#include "ui/numbers/spectra_curves.h"
#include "ui/widgets/plot_style.h"

namespace ui
{

class SpectraPlot : public Plot
{
    Q_OBJECT
  public:
    explicit SpectraPlot(QWidget* parent = nullptr);

    void setCurves(const SpectraCurves& curves, const QString& note); // note: shown if there are no curves
    const SpectraCurves& curves() const { return m_curves; }

  protected:
    void restyle() override { draw(); }
    void resizeEvent(QResizeEvent* event) override;

  private:
    void draw();
    void addCurves();

    SpectraCurves m_curves;
    QCPAxisRect* m_upper;
    QCPAxisRect* m_lower;
    CurveLegend* m_legend;
    QCPItemText* m_note;
};

} // namespace ui
