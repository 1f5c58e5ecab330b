// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile/profile_pane.h"

#include "ui/profile/profile_ticks.h"
#include "ui/widgets/displayed_number.h"

#include <algorithm>
#include <cmath>
#include <utility>

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
    m_leastMargins = {metrics.horizontalAdvance(QStringLiteral("−0.0000")) + metrics.height() + 16, 6, 10, 4};
    m_rect->setMinimumMargins(m_leastMargins);
    values()->setTicker(QSharedPointer<EngineeringTicker>::create());
    values()->ticker()->setTickStepStrategy(QCPAxisTicker::tssReadability);
    values()->ticker()->setTickCount(ticks);
    positions()->setTicker(QSharedPointer<EngineeringTicker>::create());
    makeNote();
    makeAbove();
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

void ProfilePane::makeAbove()
{
    m_above = new QCPItemText(m_plot);
    m_above->setClipToAxisRect(false);
    m_above->position->setType(QCPItemPosition::ptAxisRectRatio);
    m_above->position->setAxisRect(m_rect);
    m_above->position->setCoords(0, 0);
    m_above->setPositionAlignment(Qt::AlignLeft | Qt::AlignBottom);
    m_above->setPadding({0, 0, 0, 2});
    m_above->setVisible(false);
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

bool ProfilePane::setLabel(const QString& quantity, const QString& unit, bool isWhole)
{
    if (unit.isEmpty())
        return showLabel({}, {});
    const QFontMetrics metrics(values()->labelFont());
    const int high = m_rect->height() + m_rect->minimumMargins().top() - m_leastMargins.top(); // without a label above
    const auto fits = [&](const QString& text) { return metrics.horizontalAdvance(text) < high - 4; };
    const QString bracketed = QStringLiteral("(%1)").arg(unit), whole = quantity + u' ' + bracketed;
    if (fits(whole))
        return showLabel(whole, {});
    if (!isWhole)
        return showLabel(unit, {});
    if (fits(quantity) && fits(bracketed))
        return showLabel(quantity + u'\n' + bracketed, {});
    return showLabel({}, metrics.elidedText(whole, Qt::ElideMiddle, m_rect->width()));
}

bool ProfilePane::showLabel(const QString& beside, const QString& above)
{
    if (values()->label() == beside && m_above->text() == above)
        return false;
    values()->setLabel(beside);
    m_above->setText(above);
    m_above->setVisible(!above.isEmpty());
    const int high = above.isEmpty() ? 0 : QFontMetrics(values()->labelFont()).height();
    m_rect->setMinimumMargins(m_leastMargins + QMargins(0, high, 0, 0));
    return true;
}

bool ProfilePane::fitTicks()
{
    const QFontMetrics metrics(values()->tickLabelFont());
    double widest = 0;
    for (const QString& label : positions()->tickVectorLabels())
        widest = std::max<double>(widest, metrics.horizontalAdvance(label));
    const auto fit = [](const QCPAxis* axis, double apart, int length) {
        auto* ticker = dynamic_cast<SpacedTicker*>(axis->ticker().get());
        const double share = std::min(apart / std::max(length, 1), 1.0);
        return ticker && std::exchange(ticker->leastShare, share) != share;
    };
    const bool isUpright = fit(values(), 1.1 * metrics.height(), m_rect->height());
    return fit(positions(), widest + 0.7 * metrics.height(), m_rect->width()) || isUpright;
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
    m_above->setColor(colours.quietText);
    m_above->setFont(font);
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
