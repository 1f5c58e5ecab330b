// SPDX-License-Identifier: GPL-3.0-or-later
// Plot of speed against error of every setting that was tried on the present slice: what each choice costs.
#pragma once

#include "ui/numbers/tried_settings.h"
#include "ui/profile/stable_range.h"
#include "ui/widgets/plot_style.h"

namespace ui
{

// Speed and error on logarithmic axes. Images that are identical to their reference stand on a separate line below.
class SpeedQualityPlot : public Plot
{
    Q_OBJECT
  public:
    explicit SpeedQualityPlot(QWidget* parent = nullptr);

    void show(const Comparison& comparison, const TriedSettings& tried);
    void clear(); // the next dots belong to another scan

    const std::vector<TriedDot>& dots() const { return m_dots; }
    QPointF positionOf(const TriedDot& dot) const; // on the widget
    QString textOf(const TriedDot& dot) const;     // text of its tooltip

  signals: // actions of the user on a dot
    void chosen(int id);
    void broughtBack(const engine::Setting& setting, const QString& name);

  protected:
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void restyle() override { draw(); }
    void resizeEvent(QResizeEvent* event) override;

  private:
    void followRanges();
    void draw();
    void drawDots();
    void drawNames();
    void drawFront();
    void drawSpread(const TriedDot& dot, const QColor& colour);
    double errorOf(const TriedDot& dot) const; // position on the axis
    const TriedDot* dotAt(QPointF position) const;

    std::vector<TriedDot> m_dots;
    int m_chosenId = 0;
    QString m_against, m_unit;
    StableRange m_speedRange, m_errorRange; // decimal logarithms
    double m_floor = 1e-12;                 // position of the identical images
    bool m_hasFloor = false;
    QCPItemText* m_note;
    QCPItemStraightLine* m_floorLine;
    QCPItemText* m_floorName;
    std::vector<QCPItemText*> m_names;
};

} // namespace ui
