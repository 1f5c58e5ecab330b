// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/bar_marks.h"

#include "ui/widgets/curve_colours.h"
#include "ui/widgets/displayed_number.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace ui
{

namespace
{

constexpr int apart = 8; // pixels between dots and numbers

QString columnText(const char* text)
{
    return QCoreApplication::translate("ui::ErrorColumn", text);
}

int numberWidth(const QFontMetrics& metrics)
{
    return std::max(metrics.horizontalAdvance(QStringLiteral("2.10e−4")),
                    metrics.horizontalAdvance(ErrorColumn::textOf(0.0)));
}

QRectF trackOf(const QRect& line, const QFontMetrics& metrics)
{
    return QRectF(line).adjusted(0, 0, -numberWidth(metrics) - apart, 0);
}

} // namespace

void drawDiamond(QPainter& painter, QPointF middle, double size, const QPalette& palette, BarMark mark)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const QColor text = palette.color(QPalette::WindowText);
    painter.setPen(QPen(text, 1.2));
    painter.setBrush(mark == BarMark::hollow ? palette.color(QPalette::Window) : text);
    painter.translate(middle);
    painter.drawPolygon(QPolygonF({{-size, 0}, {0, -size}, {size, 0}, {0, size}}));
    painter.restore();
}

SpreadBox boxOf(const engine::Spread& spread)
{
    const double most = 1.5 * (spread.upper - spread.lower);
    return {std::max(spread.least, spread.lower - most), spread.lower, spread.upper,
            std::min(spread.most, spread.upper + most)};
}

void drawSpread(QPainter& painter, const SpreadBox& box, double middle, double height, const QPalette& palette)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(palette.color(QPalette::WindowText), 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawLine(QPointF(box.least, middle), QPointF(box.most, middle));
    for (const double end : {box.least, box.most})
        painter.drawLine(QPointF(end, middle - height / 4), QPointF(end, middle + height / 4));
    painter.drawRect(QRectF(box.lower, middle - height / 2, std::max(box.upper - box.lower, 0.5), height));
    painter.restore();
}

ErrorColumn::ErrorColumn(std::vector<std::optional<double>> errors) : m_errors(std::move(errors))
{
    double least = HUGE_VAL, most = 0;
    for (const std::optional<double>& error : m_errors) {
        m_isShown |= error.has_value();
        if (error.value_or(0) > 0) {
            least = std::min(least, *error);
            most = std::max(most, *error);
        }
    }
    if (!(most > 0))
        return;
    m_lowest = static_cast<int>(std::floor(std::log10(least)));
    m_highest = std::max(static_cast<int>(std::ceil(std::log10(most))), m_lowest + 1);
}

int ErrorColumn::width(const QFontMetrics& metrics, int chart) const
{
    constexpr int leastTrack = 48, mostTrack = 260;
    return m_isShown ? std::clamp(chart / 7, leastTrack, mostTrack) + apart + numberWidth(metrics) : 0;
}

double ErrorColumn::placeOf(double error) const
{
    return (std::log10(error) - m_lowest) / (m_highest - m_lowest);
}

void ErrorColumn::drawHeading(QPainter& painter, const QRect& line, const QString& name, const QPalette& palette) const
{
    painter.setPen(curveColours(palette).quietText);
    const QRectF track = trackOf(line, painter.fontMetrics());
    painter.drawText(track, Qt::AlignLeft | Qt::AlignVCenter, powerOfTenText(m_lowest));
    painter.drawText(track, Qt::AlignRight | Qt::AlignVCenter, powerOfTenText(m_highest));
    painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, name);
}

void ErrorColumn::drawRow(QPainter& painter, const QRect& line, std::size_t row, const QPalette& palette) const
{
    const std::optional<double>& error = m_errors[row];
    const QColor text = palette.color(QPalette::WindowText), window = palette.color(QPalette::Window);
    const QRectF track = trackOf(line, painter.fontMetrics());
    painter.setPen(QPen(blend(window, text, 0.16), 1));
    for (int power = m_lowest; power <= m_highest; ++power) {
        const double x = track.left() + track.width() * (power - m_lowest) / (m_highest - m_lowest);
        painter.drawLine(QPointF(x, track.top()), QPointF(x, track.bottom() + 1));
    }
    painter.setPen(text);
    painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, textOf(error));
    if (!(error.value_or(0) > 0))
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(curveColours(palette).b);
    const double radius = line.height() / 5.0;
    painter.drawEllipse(QPointF(track.left() + track.width() * placeOf(*error), track.center().y()), radius, radius);
    painter.restore();
}

QString ErrorColumn::textOf(const std::optional<double>& error)
{
    return !error ? QStringLiteral("–") : *error > 0 ? errorText(*error) : columnText("identical");
}

} // namespace ui
