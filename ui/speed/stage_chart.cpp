// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/speed/stage_chart.h"

#include "ui/widgets/curve_colours.h"
#include "ui/widgets/displayed_number.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace ui
{

StageChart::StageChart(QWidget* parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Seconds of each stage"));
    m_rows = {{tr("read"), tr("Reading the rows from the file")},
              {tr("prepare"), tr("Dark and flat fields, negative logarithm")},
              {tr("axis"), tr("Finding the rotation axis")},
              {tr("filter"), tr("Filtering the projections")},
              {tr("back-project"), tr("Back-projection with its conversions and transfers")}};
}

int StageChart::rowHeight() const
{
    return fontMetrics().height() + 3;
}

QSize StageChart::sizeHint() const
{
    return {200, rowHeight() * static_cast<int>(m_rows.size())};
}

void StageChart::setTimings(const engine::Timings& timings)
{
    const auto set = [this](int row, const engine::StageTime& time) {
        m_rows[row].seconds = time.seconds;
        m_rows[row].reused = time.reused;
    };
    set(0, timings.read);
    set(1, timings.prepare);
    set(2, timings.axis);
    set(3, timings.filter);
    set(4, {timings.backprojectSeconds, false});
    QStringList words;
    for (const Row& row : m_rows)
        words +=
            row.label + u' ' + (row.reused ? tr("%1, reused").arg(secondsText(row.seconds)) : secondsText(row.seconds));
    setAccessibleDescription(words.join(QStringLiteral("; ")));
    update();
}

void StageChart::clear()
{
    for (Row& row : m_rows) {
        row.seconds = -1;
        row.reused = false;
    }
    setAccessibleDescription({});
    update();
}

void StageChart::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const CurveColours colours = curveColours(palette());
    const QColor window = palette().color(QPalette::Window);
    const QColor text = palette().color(QPalette::WindowText);
    const QColor quiet = blend(text, window, 0.45);
    const int labelWidth = fontMetrics().horizontalAdvance(m_rows.back().label) + 8;
    const int valueWidth = fontMetrics().horizontalAdvance(QStringLiteral("99.9 min")) + 4;
    const int barWidth = std::max(10, width() - labelWidth - valueWidth);
    double longest = 0;
    for (const Row& row : m_rows)
        longest = std::max(longest, row.seconds);

    for (int k = 0; k < m_rows.size(); ++k) {
        const Row& row = m_rows[k];
        const QRect line(0, k * rowHeight(), width(), rowHeight());
        painter.setPen(row.reused || row.seconds < 0 ? quiet : text);
        painter.drawText(line, Qt::AlignVCenter | Qt::AlignLeft, row.label);
        painter.drawText(line, Qt::AlignVCenter | Qt::AlignRight,
                         row.seconds < 0 ? QStringLiteral("–") : secondsText(row.seconds));
        const int thickness = std::max(5, rowHeight() / 2 - 1);
        const QRectF track(labelWidth, line.center().y() - thickness / 2, barWidth, thickness);
        painter.fillRect(track, blend(window, text, 0.06));
        if (!(row.seconds > 0) || !(longest > 0))
            continue;
        QRectF bar = track;
        bar.setWidth(std::max(1.5, track.width() * row.seconds / longest));
        if (row.reused) {
            painter.fillRect(bar, blend(window, colours.a, 0.16));
            painter.fillRect(bar, QBrush(blend(window, colours.a, 0.62), Qt::BDiagPattern));
        } else {
            painter.fillRect(bar, colours.a);
        }
    }
}

bool StageChart::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const int k = std::clamp(help->pos().y() / rowHeight(), 0, static_cast<int>(m_rows.size()) - 1);
    const Row& row = m_rows[k];
    QString text = row.explanation;
    if (row.seconds >= 0)
        text += u'\n' + (row.reused ? tr("%1 when last computed; reused this time").arg(secondsText(row.seconds))
                                    : secondsText(row.seconds));
    QToolTip::showText(help->globalPos(), text, this);
    return true;
}

} // namespace ui
