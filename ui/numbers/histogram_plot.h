// SPDX-License-Identifier: GPL-3.0-or-later
// Two plots side by side: numbers of pixels over their values, and over their differences to the reference.
#pragma once

#include "ui/numbers/histogram_curves.h"
#include "ui/widgets/plot_style.h"

namespace ui
{

class HistogramPlot : public Plot
{
    Q_OBJECT
  public:
    explicit HistogramPlot(QWidget* parent = nullptr);

    void setCurves(const HistogramCurves& curves, const QString& note); // note: shown if there are no curves
    const HistogramCurves& curves() const { return m_curves; }
    void setLogarithmic(bool logarithmic); // axis of the numbers of pixels
    bool isLogarithmic() const { return m_logarithmic; }

  protected:
    void restyle() override { draw(); }
    void resizeEvent(QResizeEvent* event) override;

  private:
    void draw();
    void fitLegend();
    void addCurves(QCPAxisRect* rect, const std::vector<HistogramCurve>& curves, bool inLegend);

    HistogramCurves m_curves;
    bool m_logarithmic = true;
    QCPAxisRect* m_values;
    QCPAxisRect* m_errors;
    CurveLegend* m_legend;
    QCPItemText* m_note;
};

} // namespace ui
