// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/speed/history_chart.h"

#include "engine/measure/speed_spread.h"
#include "ui/widgets/curve_colours.h"
#include "ui/widgets/displayed_number.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace ui
{

namespace
{
constexpr int pitch = 6; // pixels from one bar to the next
constexpr int gap = 2;
constexpr qsizetype kept = 1000;
} // namespace

HistoryChart::HistoryChart(const QString& name, const QString& tip, Runs runs, QWidget* parent)
    : QWidget(parent), m_tip(tip), m_runs(runs)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(name);
}

QSize HistoryChart::sizeHint() const
{
    return {200, fontMetrics().height() * 3};
}

void HistoryChart::add(const SpeedEntry& entry)
{
    m_entries.push_back(entry);
    if (m_entries.size() > kept)
        m_entries.removeFirst();
    setAccessibleDescription(tr("%n result(s); the last: %1 GU/s, %2", nullptr, static_cast<int>(m_entries.size()))
                                 .arg(gupsText(entry.kernelGups), entry.settings));
    update();
}

void HistoryChart::clear()
{
    m_entries.clear();
    setAccessibleDescription({});
    update();
}

int HistoryChart::visibleCount() const
{
    return static_cast<int>(
        std::min<qsizetype>(m_entries.size(), std::max(1, (width() - distributionArea().width()) / pitch)));
}

std::vector<double> HistoryChart::speeds() const
{
    std::vector<double> all;
    for (const SpeedEntry& entry : m_entries)
        all.push_back(entry.kernelGups);
    return all;
}

QRect HistoryChart::distributionArea() const
{
    constexpr qsizetype leastRuns = 8;
    const int wanted = std::min(width() / 2, 11 * fontMetrics().height());
    return m_runs == Runs::ofOneSetting && m_entries.size() >= leastRuns ? QRect(width() - wanted, 0, wanted, height())
                                                                         : QRect();
}

// The axis goes from the slowest run to the fastest; the bars are the numbers of runs.
void HistoryChart::drawDistribution(QPainter& painter, const QRect& area) const
{
    constexpr int intervals = 12, apart = 18; // apart: pixels from the history
    const std::vector<double> runs = speeds();
    const engine::Spread spread = engine::spreadOf(runs);
    const std::vector<int> counts = engine::distributionOf(runs, intervals);
    const QRect plot = area.adjusted(apart, 0, 0, -fontMetrics().height());
    const double width = 1.0 * plot.width() / intervals, most = std::ranges::max(counts);
    const CurveColours colours = curveColours(palette());
    for (int k = 0; k < intervals; ++k) {
        const double tall = counts[k] == 0 ? 0 : std::max(2.0, counts[k] / most * (plot.height() - 2));
        painter.fillRect(QRectF(plot.left() + k * width, plot.bottom() - tall, width - 1, tall), colours.b);
    }
    painter.setPen(colours.quietText);
    painter.drawLine(plot.left(), plot.bottom(), plot.right(), plot.bottom());
    const QRect labels(plot.left(), plot.bottom() + 1, plot.width(), area.bottom() - plot.bottom());
    const QString least = gupsText(spread.least), fastest = gupsText(spread.most), unit = tr("%1 GU/s").arg(fastest);
    const bool hasRoom = fontMetrics().horizontalAdvance(least + u' ' + unit) < labels.width();
    painter.drawText(labels, Qt::AlignLeft | Qt::AlignVCenter, least);
    painter.drawText(labels, Qt::AlignRight | Qt::AlignVCenter, hasRoom ? unit : fastest);
}

int HistoryChart::entryAt(int x) const
{
    const int count = visibleCount();
    const int bar = x / pitch;
    return x >= 0 && bar < count ? static_cast<int>(m_entries.size()) - count + bar : -1;
}

void HistoryChart::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const CurveColours colours = curveColours(palette());
    const QColor window = palette().color(QPalette::Window);
    const QColor text = palette().color(QPalette::WindowText);
    const QRect distribution = distributionArea();
    if (!distribution.isEmpty())
        drawDistribution(painter, distribution);
    painter.fillRect(0, height() - 1, width() - distribution.width(), 1, blend(window, text, 0.22));
    const int count = visibleCount();
    const qsizetype first = m_entries.size() - count;
    double fastest = 0;
    for (qsizetype k = first; k < m_entries.size(); ++k)
        fastest = std::max(fastest, m_entries[k].kernelGups);
    if (!(fastest > 0))
        return;
    const QColor faded = blend(window, colours.a, 0.42);
    for (qsizetype k = first; k < m_entries.size(); ++k) {
        const double share = std::clamp(m_entries[k].kernelGups / fastest, 0.0, 1.0);
        const double bar = std::max(2.0, share * (height() - 2));
        painter.fillRect(QRectF((k - first) * pitch, height() - 1 - bar, pitch - gap, bar),
                         k == m_entries.size() - 1 ? colours.a : faded);
    }
}

bool HistoryChart::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const int index = entryAt(help->pos().x());
    const engine::Spread spread = engine::spreadOf(speeds());
    const QString text =
        distributionArea().contains(help->pos())
            ? tr("How many of the %n runs had each speed, from the slowest to the fastest: half of them from %1 to %2 "
                 "GU/s, median %3.",
                 nullptr, spread.count)
                  .arg(gupsText(spread.lower), gupsText(spread.upper), gupsText(spread.median))
        : index >= 0 ? tr("%1 GU/s · kernel\n%2").arg(gupsText(m_entries[index].kernelGups), m_entries[index].settings)
                     : m_tip;
    QToolTip::showText(help->globalPos(), text, this);
    return true;
}

} // namespace ui
