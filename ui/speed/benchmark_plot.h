// SPDX-License-Identifier: GPL-3.0-or-later
// Speed and time by the size of the image: left the kernels of all methods, right where the time of the fastest method
// goes (as Chilingaryan et al. 2018, Figure 4).
#pragma once

#include "engine/measure/benchmark.h"
#include "ui/widgets/plot_style.h"

#include <vector>

namespace ui
{

// A setting that was measured at several sizes: rows of rising size.
struct SizeCurve {
    QString name;
    std::vector<engine::BenchmarkRow> rows;
};
// Returns a curve for each setting with at least two sizes, in the order of the rows.
std::vector<SizeCurve> sizeCurvesOf(const std::vector<engine::BenchmarkRow>& rows);
// Returns the curve with the highest total speed at the largest size that any has; nullptr without curves.
const SizeCurve* fastestOf(const std::vector<SizeCurve>& curves);

class BenchmarkPlot : public Plot
{
    Q_OBJECT
  public:
    explicit BenchmarkPlot(QWidget* parent = nullptr);

    void show(const std::vector<engine::BenchmarkRow>& rows, const QString& title = {}); // title: the device
    const std::vector<SizeCurve>& curves() const { return m_curves; }

  protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    void draw();
    void drawSpeeds();
    void drawTimes(const SizeCurve& curve);

    std::vector<SizeCurve> m_curves;
    QString m_title;
    QCPAxisRect *m_speeds, *m_times;
    CurveLegend* m_legend;
    QCPTextElement *m_speedTitle, *m_timeTitle;
    std::vector<QCPItemText*> m_labels;
};

} // namespace ui
