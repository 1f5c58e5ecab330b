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
    std::vector<std::optional<double>> errors;
    for (const SpeedBar& bar : m_bars) {
        lines << QStringLiteral("%1: %2").arg(bar.name, textOf(bar)) +
                     (bar.error ? tr("; error %1").arg(ErrorColumn::textOf(bar.error)) : QString());
        errors.push_back(bar.error);
    }
    m_errors = ErrorColumn(std::move(errors));
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
    const int rows = static_cast<int>(m_bars.size()) + (m_errors.isShown() ? 1 : 0); // with the heading of the errors
    return {320, rows * rowHeight() + 4};
}

QString SpeedBarChart::textOf(const SpeedBar& bar) const
{
    QString text = bar.speed.count > 0 ? tr("%1 GU/s").arg(gupsText(bar.speed.median)) : QStringLiteral("–");
    const auto times = [](double factor) { return QString::number(factor, 'f', factor < 10 ? 2 : 1); };
    if (bar.factor)
        text += tr(" × %1").arg(times(*bar.factor));
    if (bar.paperFactor)
        text += tr(", paper × %1").arg(times(*bar.paperFactor));
    if (bar.paperFactorOpenMp)
        text += tr(", OpenMP × %1").arg(times(*bar.paperFactorOpenMp));
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
            most = std::max(most, boxOf(bar.speed).most);
        most = std::max(most, std::max(bar.paperFactor.value_or(0), bar.paperFactorOpenMp.value_or(0)) * first);
    }
    names = std::min(names + 2, width() / 4); // + 2: parts of pixels
    const int errors = m_errors.width(metrics, width()), right = width() - gap - (errors > 0 ? errors + 2 * gap : 0);
    const int left = gap + names + gap, room = std::max(right - left - gap - texts, 0), height = rowHeight();
    int top = 2;
    if (m_errors.isShown()) {
        m_errors.drawHeading(painter, {width() - gap - errors, top, errors, height}, tr("RMSE"), palette());
        top += height;
    }
    for (std::size_t k = 0; k < m_bars.size(); ++k, top += height) {
        const SpeedBar& bar = m_bars[k];
        painter.setPen(palette().color(QPalette::WindowText));
        painter.drawText(QRect(gap, top, names, height), Qt::AlignVCenter | Qt::AlignRight,
                         metrics.elidedText(bar.name, Qt::ElideMiddle, names));
        painter.drawText(QRect(right - texts, top, texts, height), Qt::AlignVCenter | Qt::AlignLeft, textOf(bar));
        drawBar(painter, bar, QRectF(left, top + 3, room, height - 6), most);
        if (m_errors.isShown())
            m_errors.drawRow(painter, {width() - gap - errors, top, errors, height}, k, palette());
    }
    painter.setPen(curveColours(palette()).quietText);
    painter.drawLine(QPointF(left - 0.5, 1), QPointF(left - 0.5, sizeHint().height() - 1));
}

// most: the speed at the right end of the track.
void SpeedBarChart::drawBar(QPainter& painter, const SpeedBar& bar, const QRectF& track, double most) const
{
    const engine::Spread& first = m_bars.front().speed;
    const auto along = [&](double speed) { return track.left() + (most > 0 ? speed / most * track.width() : 0); };
    const double middle = track.center().y();
    if (bar.speed.count > 0)
        painter.fillRect(QRectF(QPointF(track.left(), track.top()), QPointF(along(bar.speed.median), track.bottom())),
                         settingColour(palette(), bar.colour));
    const SpreadBox box = boxOf(bar.speed);
    if (bar.speed.count > 1)
        drawSpread(painter, {along(box.least), along(box.lower), along(box.upper), along(box.most)}, middle,
                   track.height() - 4, palette());
    if (first.count == 0)
        return;
    const double size = rowHeight() / 3.0;
    if (bar.paperFactorOpenMp)
        drawDiamond(painter, {along(*bar.paperFactorOpenMp * first.median), middle}, size, palette(), BarMark::filled);
    if (bar.paperFactor)
        drawDiamond(painter, {along(*bar.paperFactor * first.median), middle}, size, palette(), BarMark::hollow);
}

} // namespace ui
