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
    return {200, headingHeight() + rowHeight() * static_cast<int>(m_rows.size())};
}

void BarRows::setRows(std::vector<BarRow> rows)
{
    const int before = sizeHint().height();
    m_rows = std::move(rows);
    std::vector<std::optional<double>> errors;
    for (const BarRow& row : m_rows)
        errors.push_back(row.error);
    m_errors = ErrorColumn(std::move(errors));
    QStringList words;
    for (const BarRow& row : m_rows)
        if (row.share >= 0)
            words << row.label + u' ' + (row.isHatched ? tr("%1, reused").arg(row.value) : row.value) +
                         (row.error ? tr(", error %1").arg(ErrorColumn::textOf(row.error)) : QString());
    setAccessibleDescription(words.join(QStringLiteral("; ")));
    if (sizeHint().height() != before)
        updateGeometry();
    update();
}

void BarRows::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const QColor window = palette().color(QPalette::Window);
    const QColor text = palette().color(QPalette::WindowText);
    int labelWidth = 0, valueWidth = fontMetrics().horizontalAdvance(QStringLiteral("99.9 min"));
    for (const BarRow& row : m_rows) {
        labelWidth = std::max(labelWidth, fontMetrics().horizontalAdvance(row.label) + 8);
        valueWidth = std::max(valueWidth, fontMetrics().horizontalAdvance(row.value));
    }
    labelWidth = std::min(labelWidth, 2 * width() / 5);
    constexpr int apart = 20; // pixels before the column of errors
    const int errorWidth = m_errors.width(fontMetrics(), width()),
              right = width() - (errorWidth > 0 ? errorWidth + apart : 0);
    const int barWidth = std::max(10, right - labelWidth - valueWidth - 4);
    if (m_errors.isShown())
        m_errors.drawHeading(painter, {width() - errorWidth, 0, errorWidth, rowHeight()}, tr("error"), palette());
    int top = headingHeight();
    for (std::size_t k = 0; k < m_rows.size(); ++k) {
        const BarRow& row = m_rows[k];
        const QRect line(0, top, right, rowHeight());
        top += rowHeight();
        painter.setPen(row.isHatched || row.share < 0 ? blend(text, window, 0.45) : text);
        painter.drawText(line, Qt::AlignVCenter | Qt::AlignLeft,
                         fontMetrics().elidedText(row.label, Qt::ElideMiddle, labelWidth - 8));
        painter.drawText(line, Qt::AlignVCenter | Qt::AlignRight, row.value);
        const int thickness = std::max(5, rowHeight() / 2 - 1);
        drawBar(painter, row, QRectF(labelWidth, line.center().y() - thickness / 2, barWidth, thickness));
        if (m_errors.isShown())
            m_errors.drawRow(painter, {width() - errorWidth, line.top(), errorWidth, line.height()}, k, palette());
    }
}

void BarRows::drawBar(QPainter& painter, const BarRow& row, const QRectF& track) const
{
    const CurveColours colours = curveColours(palette());
    const QColor window = palette().color(QPalette::Window), text = palette().color(QPalette::WindowText);
    painter.fillRect(track, blend(window, text, 0.06));
    if (!(row.share > 0))
        return;
    QRectF bar = track;
    bar.setWidth(std::clamp(track.width() * row.share, 1.5, track.width()));
    bar.moveLeft(std::min(track.left() + track.width() * row.begin, track.right() - bar.width()));
    if (row.isHatched) {
        painter.fillRect(bar, blend(window, colours.a, 0.16));
        painter.fillRect(bar, QBrush(blend(window, colours.a, 0.62), Qt::BDiagPattern));
    } else {
        painter.fillRect(bar, row.isQuiet ? blend(text, window, 0.45) : colours.a);
    }
    const auto along = [&](double share) { return track.left() + track.width() * std::min(share, 1.0); };
    if (row.spread)
        drawSpread(
            painter,
            {along(row.spread->least), along(row.spread->lower), along(row.spread->upper), along(row.spread->most)},
            track.center().y(), track.height(), palette());
    const double size = rowHeight() / 3.5;
    if (row.otherMark >= 0)
        drawDiamond(painter, {along(row.otherMark), track.center().y()}, size, palette(), BarMark::filled);
    if (row.mark >= 0)
        drawDiamond(painter, {along(row.mark), track.center().y()}, size, palette(), BarMark::hollow);
}

bool BarRows::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const int y = help->pos().y() - headingHeight();
    const auto k = static_cast<std::size_t>(y / rowHeight());
    QToolTip::showText(help->globalPos(), y >= 0 && k < m_rows.size() ? m_rows[k].explanation : QString(), this);
    return true;
}

} // namespace ui
