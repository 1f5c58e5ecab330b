// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/plot_style.h"

#include "ui/widgets/focus_frame.h"
#include "ui/widgets/log_ticks.h"

#include <QHelpEvent>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace ui
{

namespace
{

constexpr QSize legendIcon(26, 8);                                // two dashes long
constexpr int legendIconGap = 4, legendGap = 12, legendSides = 8; // pixels
constexpr int belowLegendRow = 2;                                 // pixels; letters without hinting extend further down
constexpr int heightPerLegendRow = 70;                            // pixels of the whole plot
constexpr int leastLegendLetters = 12;                            // of a name; with fewer, another row is added

// Splits a line into its dashes.
QVector<QLineF> dashesAlong(const QVector<QPointF>& points, const QPen& pen)
{
    constexpr double longest = 1e4; // pixels; a longer segment is mostly outside the plot
    const QList<qreal> pattern = pen.dashPattern();
    QVector<QLineF> dashes;
    qsizetype part = 0; // of the pattern: dash, gap, dash and so on
    double left = pattern[part] * pen.widthF();
    for (qsizetype k = 1; k < points.size(); ++k) {
        const QLineF segment(points[k - 1], points[k]);
        const double length = segment.length();
        if (!(length <= longest)) {
            if (std::isfinite(length))
                dashes << segment;
            continue;
        }
        for (double done = 0; done < length;) {
            const double step = std::min(left, length - done);
            if (part % 2 == 0)
                dashes << QLineF(segment.pointAt(done / length), segment.pointAt((done + step) / length));
            done += step;
            left -= step;
            if (left > 0)
                continue;
            part = (part + 1) % pattern.size();
            left = pattern[part] * pen.widthF();
        }
    }
    return dashes;
}

// Qt strokes a dashed polyline as one path: for thousands of crossing segments, that takes seconds.
class CurveGraph : public QCPGraph
{
  public:
    using QCPGraph::QCPGraph;

  protected:
    void drawLinePlot(QCPPainter* painter, const QVector<QPointF>& lines) const override
    {
        const QPen pen = painter->pen();
        if (pen.style() != Qt::CustomDashLine || !mParentPlot->plottingHints().testFlag(QCP::phFastPolylines))
            return QCPGraph::drawLinePlot(painter, lines);
        applyDefaultAntialiasingHint(painter);
        painter->setPen(QPen(pen.brush(), pen.widthF(), Qt::SolidLine, Qt::FlatCap));
        painter->drawLines(dashesAlong(lines, pen));
        painter->setPen(pen);
    }
};

} // namespace

Plot::Plot(QWidget* parent) : QCustomPlot(parent)
{
    setLocale(QLocale::c()); // of the ticks, as all numbers of the window
}

QCPGraph* Plot::addCurve(QCPAxis* keys, QCPAxis* values)
{
    return new CurveGraph(keys, values); // the plot owns it
}

void Plot::changeEvent(QEvent* event)
{
    QCustomPlot::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        restyle();
}

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

// Layers of curves lie above that of the references, in the order of drawing.
void Plot::drawAsSetting(QCPGraph* graph, const QPalette& palette, int k)
{
    constexpr int coloursPerStroke = 2;
    const bool isThin = k / 4 % coloursPerStroke == 1;
    const int rank = static_cast<int>(settingStroke(k)) * coloursPerStroke + (isThin ? 1 : 0);
    QString below = QStringLiteral("main");
    for (int place = 0; place <= rank; ++place) {
        const QString name = QStringLiteral("curves%1").arg(place);
        if (!layer(name))
            addLayer(name, layer(below));
        below = name;
    }
    graph->setLayer(below);
    graph->setPen(settingPen(palette, k, isThin ? 1.0 : 2.0));
}

bool Plot::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip)
        for (const CurveLegend* legend : findChildren<CurveLegend*>()) {
            const auto* help = static_cast<const QHelpEvent*>(event);
            if (const QString tip = legend->tipAt(help->pos()); legend->visible() && !tip.isEmpty()) {
                QToolTip::showText(help->globalPos(), tip.toHtmlEscaped(), this);
                return true;
            }
        }
    return QCustomPlot::event(event);
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

CurveLegend::CurveLegend(Plot* plot)
{
    auto* row = new QCPLayoutGrid; // the legend, and the rest of the row
    plot->plotLayout()->addElement(0, 0, row);
    plot->plotLayout()->setRowStretchFactor(0, 0.001); // as high as its text
    row->addElement(0, 0, this);
    row->addElement(0, 1, new QCPLayoutElement(plot));
    row->setColumnStretchFactor(0, 0.001); // as wide as its text
    setLayer(QStringLiteral("legend"));
    setFillOrder(QCPLayoutGrid::foColumnsFirst);
    setBorderPen(Qt::NoPen);
    setBrush(Qt::NoBrush);
    setIconSize(legendIcon);
    setIconTextPadding(legendIconGap);
    setColumnSpacing(legendGap);
    setRowSpacing(0);
    setMargins(QMargins(legendSides, 1, legendSides, 1));
}

void CurveLegend::add(QCPAbstractPlottable* curve, const QString& name, const QString& brief, const QString& tip)
{
    m_entries.push_back({curve, name, brief.isEmpty() ? name : brief, tip.isEmpty() ? name : tip});
}

void CurveLegend::clear()
{
    clearItems();
    m_entries.clear();
}

void CurveLegend::fit(const QSize& plot, const CurveColours& colours, const QFont& font)
{
    clearItems();
    const int mostRows = std::max(1, plot.height() / heightPerLegendRow);
    const QFontMetrics metrics(font);
    const auto count = static_cast<int>(m_entries.size());
    int columns = count, room = 0; // room: of the longest name
    // Returns the width of the legend if no name is wider than `most`.
    const auto widthOf = [&](QString Entry::*name, int most) {
        std::vector<int> widths(static_cast<std::size_t>(columns));
        for (int k = 0; k < count; ++k) {
            int& width = widths[static_cast<std::size_t>(k % columns)];
            width = std::max(width, metrics.horizontalAdvance(m_entries[static_cast<std::size_t>(k)].*name) + 1);
        }
        int whole = 2 * legendSides - legendGap;
        for (const int width : widths)
            whole += std::min(width, most) + legendIcon.width() + legendIconGap + legendGap;
        return whole;
    };
    // Returns whether the names fit: whole in the fewest rows, or with the most letters of each in the fewest rows.
    const auto fits = [&](QString Entry::*name, int rowsAllowed) {
        int widest = 0;
        for (const Entry& entry : m_entries)
            widest = std::max(widest, metrics.horizontalAdvance(entry.*name) + 1); // it is rounded
        const int least = std::min(widest, leastLegendLetters * metrics.averageCharWidth());
        for (const bool isWhole : {true, false})
            for (int rows = isWhole ? 1 : 2; rows <= std::min(rowsAllowed, count); ++rows) {
                columns = (count + rows - 1) / rows;
                room = widest;
                while (!isWhole && room > 1 && widthOf(name, room) > plot.width())
                    --room;
                if (room >= least && widthOf(name, room) <= plot.width())
                    return true;
            }
        return false;
    };
    const bool areNames = fits(&Entry::name, mostRows);
    if (!areNames)
        fits(&Entry::brief, count);
    setWrap(columns);
    for (const Entry& entry : m_entries) {
        const QString& name = areNames ? entry.name : entry.brief;
        entry.curve->setName(metrics.elidedText(name, Qt::ElideMiddle, std::max(room, 1)));
        auto* item = new QCPPlottableLegendItem(this, entry.curve);
        item->setFont(font);
        item->setTextColor(colours.text);
        item->setMargins({0, 0, 0, belowLegendRow});
        addItem(item);
    }
    setVisible(count > 0);
}

QString CurveLegend::tipAt(const QPointF& position) const
{
    int place = 0; // among the entries: an incomplete row has empty cells
    for (int k = 0; k < elementCount(); ++k)
        if (const QCPLayoutElement* item = elementAt(k)) {
            if (item->outerRect().contains(position.toPoint()))
                return m_entries[static_cast<std::size_t>(place)].tip;
            ++place;
        }
    return {};
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
