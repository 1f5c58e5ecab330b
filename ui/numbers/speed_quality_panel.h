// SPDX-License-Identifier: GPL-3.0-or-later
// Speed against error of every setting that was tried on the present slice, and what the errors are measured against.
#pragma once

#include "ui/numbers/tried_settings.h"
#include "ui/widgets/drawing.h"

#include <QWidget>

class QLabel;

namespace ui
{

class SpeedQualityPlot;

class SpeedQualityPanel : public QWidget, public DrawnPage
{
    Q_OBJECT
  public:
    explicit SpeedQualityPanel(QWidget* parent = nullptr);

    void show(const Comparison& comparison, const TriedSettings& tried);
    void clear(); // the next dots belong to another scan

    const std::vector<TriedDot>& dots() const;
    QPointF positionOf(const TriedDot& dot) const; // on the plot
    QString textOf(const TriedDot& dot) const;     // text of its tooltip
    Drawing drawing() const override;
    QString values() const override;

  signals: // actions of the user on a dot
    void chosen(int id);
    void broughtBack(const engine::Setting& setting, const QString& name);

  private:
    QLabel *m_against, *m_apart; // m_apart: settings that the line doesn't join, and why
    SpeedQualityPlot* m_plot;
    Comparison m_shown;
    TriedSettings m_tried;
};

} // namespace ui
