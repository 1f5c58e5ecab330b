// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/numbers/speed_bar_chart.h"

#include "ui/widgets/curve_colours.h"
#include "ui/widgets/displayed_number.h"
#include "ui/widgets/focus_frame.h"

#include <QPainter>

#include <algorithm>

namespace ui
{

namespace
{

constexpr int gap = 8; // pixels between the columns

} // namespace

SpeedBarChart::SpeedBarChart(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("speedBars"));
    setAccessibleName(tr("Speeds of all settings"));
    setFocusPolicy(Qt::TabFocus); // to scroll it with keys, and for screen readers
}

void SpeedBarChart::setBars(const std::vector<SpeedBar>& bars)
{
    m_bars = bars;
    QStringList lines;
    for (const SpeedBar& bar : m_bars)
        lines << QStringLiteral("%1: %2").arg(bar.name, textOf(bar));
    setAccessibleDescription(lines.join(u'\n'));
    updateGeometry();
    update();
}

int SpeedBarChart::rowHeight() const
{
    return fontMetrics().height() + 3;
}

QSize SpeedBarChart::sizeHint() const
{
    return {320, static_cast<int>(m_bars.size()) * rowHeight() + 4};
}

QString SpeedBarChart::textOf(const SpeedBar& bar) const
{
    QString text = bar.speed.count > 0 ? tr("%1 GU/s").arg(gupsText(bar.speed.median)) : QStringLiteral("–");
    const auto times = [](double factor) { return QString::number(factor, 'f', factor < 10 ? 2 : 1); };
    if (bar.factor)
        text += tr(" × %1").arg(times(*bar.factor));
    if (bar.paperFactor)
        text += tr(", paper × %1").arg(times(*bar.paperFactor));
    return text;
}

void SpeedBarChart::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    drawFocusFrame(painter, *this, rect());
    if (m_bars.empty())
        return;
    painter.setRenderHint(QPainter::Antialiasing);
    const QFontMetrics metrics(font());
    int names = 0, texts = 0;
    double most = 0;
    const double first = m_bars.front().speed.median;
    for (const SpeedBar& bar : m_bars) {
        names = std::max(names, metrics.horizontalAdvance(bar.name));
        texts = std::max(texts, metrics.horizontalAdvance(textOf(bar)));
        if (bar.speed.count > 0)
            most = std::max(most, bar.speed.upper);
        if (bar.paperFactor && m_bars.front().speed.count > 0)
            most = std::max(most, *bar.paperFactor * first);
    }
    names = std::min(names, width() / 4);
    const int left = gap + names + gap, room = width() - left - gap - texts - gap;
    const auto along = [&](double speed) { return most > 0 && room > 0 ? speed / most * room : 0; };
    const QColor quiet = curveColours(palette()).quietText;
    for (std::size_t k = 0; k < m_bars.size(); ++k) {
        const SpeedBar& bar = m_bars[k];
        const int top = 2 + static_cast<int>(k) * rowHeight(), height = rowHeight();
        painter.setPen(palette().color(QPalette::WindowText));
        painter.drawText(QRect(gap, top, names, height), Qt::AlignVCenter | Qt::AlignRight,
                         metrics.elidedText(bar.name, Qt::ElideMiddle, names));
        painter.drawText(QRect(width() - gap - texts, top, texts, height), Qt::AlignVCenter | Qt::AlignLeft,
                         textOf(bar));
        const double middle = top + height / 2.0;
        if (bar.speed.count > 0) {
            painter.fillRect(QRectF(left, top + 3, along(bar.speed.median), height - 6),
                             settingColour(palette(), bar.colour));
            painter.setPen(QPen(palette().color(QPalette::WindowText), 1));
            painter.drawLine(QPointF(left + along(bar.speed.lower), middle),
                             QPointF(left + along(bar.speed.upper), middle));
        }
        if (bar.paperFactor && m_bars.front().speed.count > 0) {
            const double x = left + along(*bar.paperFactor * first), size = height / 3.0;
            painter.setPen(QPen(palette().color(QPalette::WindowText), 1.4));
            painter.setBrush(palette().color(QPalette::Base));
            painter.drawPolygon(
                QPolygonF({{x, middle - size}, {x + size, middle}, {x, middle + size}, {x - size, middle}}));
        }
    }
    painter.setPen(quiet);
    painter.drawLine(QPointF(left - 0.5, 1), QPointF(left - 0.5, sizeHint().height() - 1));
}

} // namespace ui
