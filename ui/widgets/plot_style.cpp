// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/plot_style.h"

#include "ui/widgets/focus_frame.h"
#include "ui/widgets/log_ticks.h"

#include <algorithm>

namespace ui
{

void Plot::paintEvent(QPaintEvent* event)
{
    // The window may have moved to a screen with another pixel density.
    if (!qFuzzyCompare(bufferDevicePixelRatio(), devicePixelRatioF())) {
        setBufferDevicePixelRatio(devicePixelRatioF());
        replot(rpImmediateRefresh);
    }
    QCustomPlot::paintEvent(event);
    QPainter painter(this);
    drawFocusFrame(painter, *this, rect());
}

QFont plotFont(const QFont& font)
{
    QFont small = font;
    if (font.pixelSize() > 0)
        small.setPixelSize(std::max(9, qRound(font.pixelSize() * 0.88)));
    else
        small.setPointSizeF(std::max(7.0, font.pointSizeF() * 0.88));
    return small;
}

void styleAxes(QCPAxisRect* rect, const CurveColours& colours, const QFont& font)
{
    for (QCPAxis* axis : rect->axes()) {
        axis->setBasePen(QPen(blend(colours.background, colours.text, 0.35), 1));
        axis->setTickPen(axis->basePen());
        axis->setSubTickPen(axis->basePen());
        axis->setTickLengthIn(4);
        axis->setSubTickLengthIn(2);
        axis->setTickLabelColor(colours.text);
        axis->setLabelColor(colours.quietText);
        axis->setTickLabelFont(font);
        axis->setLabelFont(font);
        axis->setLabelPadding(2);
        axis->grid()->setPen(QPen(colours.grid, 1));
        axis->grid()->setZeroLinePen(QPen(blend(colours.background, colours.text, 0.25), 1));
    }
    for (const auto type : {QCPAxis::atTop, QCPAxis::atRight})
        rect->axis(type)->setTicks(false);
}

void styleLegend(QCPLegend* legend, const CurveColours& colours, const QFont& font)
{
    QColor veil = colours.background;
    veil.setAlphaF(0.82f);
    legend->setBrush(veil);
    legend->setFont(font);
    legend->setTextColor(colours.text);
    for (int k = 0; k < legend->itemCount(); ++k)
        if (QCPAbstractLegendItem* item = legend->item(k)) { // null for an empty cell of a wrapped legend
            item->setFont(font);
            item->setTextColor(colours.text);
        }
}

QCPLegend* addLegend(QCPAxisRect* rect)
{
    auto* legend = new QCPLegend;
    rect->insetLayout()->addElement(legend, Qt::AlignTop | Qt::AlignRight);
    rect->insetLayout()->setMargins(QMargins(6, 5, 6, 5));
    legend->setLayer(QStringLiteral("legend"));
    legend->setFillOrder(QCPLayoutGrid::foColumnsFirst);
    legend->setBorderPen(Qt::NoPen);
    legend->setIconSize(16, 8);
    legend->setIconTextPadding(4);
    legend->setColumnSpacing(12);
    legend->setRowSpacing(0);
    legend->setMargins(QMargins(5, 1, 5, 1));
    return legend;
}

QVector<double> LogTicker::createTickVector(double, const QCPRange& range)
{
    return logTicks(range.lower, range.upper);
}

QVector<double> LogTicker::createSubTickVector(int, const QVector<double>&)
{
    return {};
}

QString LogTicker::getTickLabel(double tick, const QLocale&, QChar, int)
{
    return logTickText(tick, m_asPowers);
}

} // namespace ui
