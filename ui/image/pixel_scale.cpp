// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/image/pixel_scale.h"

#include "ui/views/plate.h"
#include "ui/widgets/saved_painter.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace ui
{

ScaleBar scaleBar(double scale, const std::optional<double>& pixelSizeMm, double longest)
{
    const double perPixel = pixelSizeMm.value_or(1); // mm, or pixels
    const double most = longest / scale * perPixel;
    const double decade = std::pow(10, std::floor(std::log10(most)));
    const double value = most >= 5 * decade ? 5 * decade : most >= 2 * decade ? 2 * decade : decade;
    const auto number = [](double of) { return QString::number(of, 'g', 6); }; // 1000, not 1e+03
    QString text;
    if (!pixelSizeMm)
        text = QCoreApplication::translate("ui::ScaleBar", "%1 px").arg(number(value));
    else if (value < 0.9e-3)
        text = number(value * 1e6) + QStringLiteral(" nm");
    else if (value < 0.9)
        text = number(value * 1e3) + QStringLiteral(" µm");
    else
        text = number(value) + QStringLiteral(" mm");
    return {value / perPixel * scale, text};
}

QString magnificationText(double scale)
{
    const int decimals = scale >= 10 ? 0 : scale >= 1 ? 1 : 2;
    QString number = QString::number(scale, 'f', decimals);
    while (number.contains('.') && (number.endsWith('0') || number.endsWith('.')))
        number.chop(1);
    return number + QChar(0x00d7);
}

void drawScale(QPainter& painter, const QRectF& room, double scale, const std::optional<double>& pixelSizeMm,
               const QPalette& palette)
{
    const ScaleBar bar = scaleBar(scale, pixelSizeMm);
    const QString text = magnificationText(scale) + QStringLiteral("   ") + bar.text;
    const double length = std::min(bar.length, room.width() - 20);
    const QRectF plate =
        drawPlate(painter, room, Qt::AlignRight | Qt::AlignBottom, text + QLatin1Char('\n'), palette, {}, length + 2);
    const double y = plate.bottom() - 8, right = plate.right() - 7;
    const double left = right - length;
    const SavedPainter saved(painter);
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (const auto& pen : {QPen(palette.color(QPalette::Window), 4), QPen(palette.color(QPalette::WindowText), 2)}) {
        painter.setPen(pen);
        painter.drawLine(QPointF(left, y), QPointF(right, y));
        for (const double end : {left, right})
            painter.drawLine(QPointF(end, y - 3), QPointF(end, y + 3));
    }
}

QString ValueForm::text(double value) const
{
    if (!std::isfinite(value))
        return std::isnan(value) ? QStringLiteral("NaN") : value > 0 ? QStringLiteral("∞") : QStringLiteral("−∞");
    return QString::number(value * std::pow(10, -exponent), 'f', decimals).replace('-', QChar(0x2212));
}

ValueForm valueForm(const GreyWindow& window)
{
    const double size = std::max(std::abs(window.low), std::abs(window.high));
    if (!(size > 0) || !std::isfinite(size))
        return {0, 2};
    const int digits = static_cast<int>(std::floor(std::log10(size)));
    const int exponent = 3 * static_cast<int>(std::floor(digits / 3.0));
    return {exponent, 2 - (digits - exponent)};
}

void drawPixels(QPainter& painter, const QRectF& room, const QTransform& toScreen, const Pixels& pixels,
                const ValuesAt& valuesAt)
{
    const engine::SliceGrid& grid = pixels.grid();
    const QRectF part = toScreen.inverted().mapRect(room) & pixels.area();
    const double cell = grid.step * toScreen.m11();
    const auto span = [&grid](double begin, double end, double first, int count) {
        return std::pair(std::clamp(int(std::floor((begin - first) / grid.step + 0.5)), 0, count),
                         std::clamp(int(std::ceil((end - first) / grid.step + 0.5)), 0, count));
    };
    const auto [left, right] = span(part.left(), part.right(), grid.x0, grid.width);
    const auto [top, bottom] = span(part.top(), part.bottom(), grid.y0, grid.height);
    const SavedPainter saved(painter);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(QColor(128, 128, 128, 110), 1));
    const auto corner = [&](int column, int row) {
        return toScreen.map(QPointF(grid.x0 + (column - 0.5) * grid.step, grid.y0 + (row - 0.5) * grid.step));
    };
    for (int column = left; column <= right; ++column)
        painter.drawLine(corner(column, top), corner(column, bottom));
    for (int row = top; row <= bottom; ++row)
        painter.drawLine(corner(left, row), corner(right, row));
    QFont font = painter.font();
    font.setPixelSize(std::clamp(int(cell / 3.6), 8, 14));
    painter.setFont(font);
    painter.setRenderHint(QPainter::Antialiasing);
    const double line = QFontMetricsF(font).height();
    for (int row = top; row < bottom; ++row)
        for (int column = left; column < right; ++column) {
            const QPointF middle(grid.x0 + column * grid.step, grid.y0 + row * grid.step);
            const QStringList values = valuesAt(middle);
            double y = toScreen.map(middle).y() - line * double(values.size()) / 2;
            for (const QString& value : values) {
                const QRectF place(corner(column, row).x(), y, cell, line);
                painter.setPen(QColor(0, 0, 0, 200)); // legible on every colour
                painter.drawText(place.translated(1, 1), Qt::AlignCenter, value);
                painter.setPen(Qt::white);
                painter.drawText(place, Qt::AlignCenter, value);
                y += line;
            }
        }
}

} // namespace ui
