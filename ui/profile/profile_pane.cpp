// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile/profile_pane.h"

#include "ui/profile/profile_ticks.h"
#include "ui/widgets/displayed_number.h"

#include <cmath>

namespace ui
{

ProfilePane::ProfilePane(Plot* plot, QCPLayoutGrid* panes, int row, QCPMarginGroup* margins, int ticks)
    : m_plot(plot), m_rect(new QCPAxisRect(plot)), m_ticks(ticks)
{
    panes->addElement(row, 0, m_rect);
    m_rect->setMarginGroup(QCP::msLeft | QCP::msRight, margins);
    m_rect->setupFullAxesBox(true);
    // Wide enough for the usual labels, so that the plots stay where they are when labels change.
    const QFontMetrics metrics = plot->fontMetrics();
    m_rect->setMinimumMargins(
        QMargins(metrics.horizontalAdvance(QStringLiteral("−0.0000")) + metrics.height() + 16, 6, 10, 4));
    values()->setTicker(QSharedPointer<EngineeringTicker>::create());
    values()->ticker()->setTickStepStrategy(QCPAxisTicker::tssReadability);
    values()->ticker()->setTickCount(ticks);
    makeNote();
    makeCursor();
}

void ProfilePane::makeNote()
{
    m_note = new QCPItemText(m_plot);
    m_note->setClipToAxisRect(false);
    m_note->position->setType(QCPItemPosition::ptAxisRectRatio);
    m_note->position->setAxisRect(m_rect);
    m_note->position->setCoords(0.5, 0.5);
    m_note->setVisible(false);
}

void ProfilePane::makeCursor()
{
    m_cursor = new QCPItemStraightLine(m_plot);
    for (QCPItemPosition* position : {m_cursor->point1, m_cursor->point2})
        position->setAxes(positions(), values());
    m_cursor->setClipAxisRect(m_rect);
    m_cursor->setLayer(QStringLiteral("overlay")); // has its own buffer: moving the cursor redraws no curve
    m_cursor->setSelectable(false);
    m_cursor->setVisible(false);
}

void ProfilePane::setLogarithmic(bool logarithmic)
{
    QCPAxis* axis = values();
    if (logarithmic)
        axis->setTicker(QSharedPointer<PowerTicker>::create());
    else
        axis->setTicker(QSharedPointer<EngineeringTicker>::create());
    axis->ticker()->setTickCount(m_ticks);
    axis->setScaleType(logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    m_rect->axis(QCPAxis::atRight)->setScaleType(axis->scaleType());
}

QString ProfilePane::unitWithPower(const QString& unit) const
{
    int exponent = 0;
    if (const auto ticker = values()->ticker().dynamicCast<EngineeringTicker>()) {
        exponent = EngineeringTicker::exponentFor(values()->range());
        ticker->setExponent(exponent);
    }
    return ui::unitWithPower(unit, exponent);
}

void ProfilePane::setLabel(const QString& whole, const QString& unit)
{
    QCPAxis* axis = values();
    const bool fits = QFontMetrics(axis->labelFont()).horizontalAdvance(whole) < m_rect->height() - 4;
    const QString text = unit.isEmpty() ? QString() : fits ? whole : unit;
    if (axis->label() != text)
        axis->setLabel(text);
}

void ProfilePane::setCursor(double position)
{
    m_cursor->setVisible(!std::isnan(position));
    if (std::isnan(position))
        return;
    m_cursor->point1->setCoords(position, 0);
    m_cursor->point2->setCoords(position, 1);
}

void ProfilePane::style(const CurveColours& colours, const QFont& font, const QFont& noteFont)
{
    styleAxes(m_rect, colours, font);
    m_note->setColor(colours.quietText);
    m_note->setFont(noteFont);
    m_cursor->setPen(QPen(colours.quietText, 1));
}

void ProfilePane::clear()
{
    m_graphs.clear();
}

QCPGraph* ProfilePane::add()
{
    QCPGraph* graph = m_plot->addCurve(positions(), values());
    graph->setSelectable(QCP::stNone);
    m_graphs.push_back(graph);
    return graph;
}

} // namespace ui
