// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/speed/bar_rows.h"

#include "ui/widgets/curve_colours.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace ui
{

BarRows::BarRows(const QString& accessibleName, QWidget* parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(accessibleName);
}

int BarRows::rowHeight() const
{
    return fontMetrics().height() + 3;
}

QSize BarRows::sizeHint() const
{
    return {200, rowHeight() * static_cast<int>(m_rows.size())};
}

void BarRows::setRows(std::vector<BarRow> rows)
{
    const bool isOtherHeight = rows.size() != m_rows.size();
    m_rows = std::move(rows);
    QStringList words;
    for (const BarRow& row : m_rows)
        if (row.share >= 0)
            words << row.label + u' ' + (row.isHatched ? tr("%1, reused").arg(row.value) : row.value);
    setAccessibleDescription(words.join(QStringLiteral("; ")));
    if (isOtherHeight)
        updateGeometry();
    update();
}

void BarRows::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const CurveColours colours = curveColours(palette());
    const QColor window = palette().color(QPalette::Window);
    const QColor text = palette().color(QPalette::WindowText);
    const QColor quiet = blend(text, window, 0.45);
    int labelWidth = 0, valueWidth = fontMetrics().horizontalAdvance(QStringLiteral("99.9 min"));
    for (const BarRow& row : m_rows) {
        labelWidth = std::max(labelWidth, fontMetrics().horizontalAdvance(row.label) + 8);
        valueWidth = std::max(valueWidth, fontMetrics().horizontalAdvance(row.value));
    }
    const int barWidth = std::max(10, width() - labelWidth - valueWidth - 4);
    int top = 0;
    for (const BarRow& row : m_rows) {
        const QRect line(0, top, width(), rowHeight());
        top += rowHeight();
        painter.setPen(row.isHatched || row.share < 0 ? quiet : text);
        painter.drawText(line, Qt::AlignVCenter | Qt::AlignLeft, row.label);
        painter.drawText(line, Qt::AlignVCenter | Qt::AlignRight, row.value);
        const int thickness = std::max(5, rowHeight() / 2 - 1);
        const QRectF track(labelWidth, line.center().y() - thickness / 2, barWidth, thickness);
        painter.fillRect(track, blend(window, text, 0.06));
        if (!(row.share > 0))
            continue;
        QRectF bar = track;
        bar.setWidth(std::clamp(track.width() * row.share, 1.5, track.width()));
        bar.moveLeft(std::min(track.left() + track.width() * row.begin, track.right() - bar.width()));
        if (row.isHatched) {
            painter.fillRect(bar, blend(window, colours.a, 0.16));
            painter.fillRect(bar, QBrush(blend(window, colours.a, 0.62), Qt::BDiagPattern));
        } else {
            painter.fillRect(bar, row.isQuiet ? quiet : colours.a);
        }
        if (row.mark >= 0) {
            painter.save();
            painter.setRenderHint(QPainter::Antialiasing);
            painter.setPen(QPen(text, 1.2));
            painter.setBrush(window);
            const double x = track.left() + track.width() * std::min(row.mark, 1.0), size = rowHeight() / 3.5;
            painter.translate(x, track.center().y());
            painter.drawPolygon(QPolygonF({{-size, 0}, {0, -size}, {size, 0}, {0, size}}));
            painter.restore();
        }
    }
}

bool BarRows::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto k = static_cast<std::size_t>(help->pos().y() / rowHeight());
    QToolTip::showText(help->globalPos(), k < m_rows.size() ? m_rows[k].explanation : QString(), this);
    return true;
}

} // namespace ui
