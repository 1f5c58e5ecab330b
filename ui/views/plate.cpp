// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/plate.h"
#include "ui/widgets/saved_painter.h"

#include <QPainter>

#include <algorithm>

namespace ui
{

QRectF drawPlate(QPainter& painter, const QRectF& room, Qt::Alignment side, const QString& text,
                 const QPalette& palette, const QColor& swatch, double leastWidth)
{
    constexpr double besideText = 7, aboveText = 3, swatchSize = 9, rounding = 4;
    if (text.isEmpty())
        return {};
    const SavedPainter saved(painter);
    const double before = swatch.isValid() ? swatchSize + 5 : 0;
    const QFontMetricsF metrics(painter.font(), painter.device());
    QStringList lines = text.split(QLatin1Char('\n'));
    double widest = leastWidth;
    for (QString& line : lines) {
        line = metrics.elidedText(line, Qt::ElideMiddle, std::max(1.0, room.width() - before - 2 * besideText));
        widest = std::max(widest, metrics.horizontalAdvance(line));
    }
    const QSizeF size(widest + before + 2 * besideText, metrics.lineSpacing() * double(lines.size()) + 2 * aboveText);
    QRectF plate(room.topLeft(), size);
    if (side & Qt::AlignRight)
        plate.moveRight(room.right());
    else if (side & Qt::AlignHCenter)
        plate.moveLeft(room.center().x() - size.width() / 2);
    if (side & Qt::AlignBottom)
        plate.moveBottom(room.bottom());
    else if (side & Qt::AlignVCenter)
        plate.moveTop(room.center().y() - size.height() / 2);
    QColor ground = palette.color(QPalette::Window);
    ground.setAlphaF(0.85f);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(ground);
    painter.drawRoundedRect(plate, rounding, rounding);
    const QRectF inside = plate.adjusted(besideText, aboveText, -besideText, -aboveText);
    if (swatch.isValid())
        painter.fillRect(QRectF(inside.left(), inside.center().y() - swatchSize / 2, swatchSize, swatchSize), swatch);
    painter.setPen(palette.color(QPalette::WindowText));
    painter.drawText(inside.adjusted(before, 0, 4, 0), Qt::AlignLeft | Qt::AlignVCenter, lines.join(QLatin1Char('\n')));
    return plate;
}

} // namespace ui
