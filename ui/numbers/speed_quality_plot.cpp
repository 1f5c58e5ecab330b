// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/numbers/speed_quality_plot.h"

#include "ui/widgets/displayed_number.h"

#include <QMouseEvent>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace ui
{

namespace
{

constexpr double dotReach = 9;     // pixels around a dot within which it is hit
constexpr double dotSize = 9;      // pixels
constexpr double leastDecades = 1; // powers of ten that an axis shows at least

// Widens a range to at least a decade, so that small differences look small.
void widen(double& lower, double& upper)
{
    if (upper - lower >= leastDecades)
        return;
    const double middle = (lower + upper) / 2;
    lower = middle - leastDecades / 2;
    upper = middle + leastDecades / 2;
}

} // namespace

SpeedQualityPlot::SpeedQualityPlot(QWidget* parent)
    : Plot(parent), m_note(new QCPItemText(this)), m_floorLine(new QCPItemStraightLine(this)),
      m_floorName(new QCPItemText(this))
{
    setObjectName(QStringLiteral("speedQuality"));
    setAccessibleName(tr("Speed and error of every setting that was tried"));
    setMinimumSize(240, 104);
    setMouseTracking(true);
    setAutoAddPlottableToLegend(false);
    axisRect()->setupFullAxesBox(true);
    for (QCPAxis* axis : {xAxis, yAxis, xAxis2, yAxis2})
        axis->setScaleType(QCPAxis::stLogarithmic);
    xAxis->setTicker(QSharedPointer<LogTicker>::create(false));
    yAxis->setTicker(QSharedPointer<LogTicker>::create(true));
    // Wide enough for the usual labels, so that the plot stays where it is when they change.
    axisRect()->setMinimumMargins(
        QMargins(fontMetrics().horizontalAdvance(QStringLiteral("5·10⁻⁶")) + fontMetrics().height() + 16, 6, 10, 4));
    m_note->position->setType(QCPItemPosition::ptAxisRectRatio);
    m_note->position->setCoords(0.5, 0.5);
    m_floorName->position->setTypeX(QCPItemPosition::ptAxisRectRatio);
    m_floorName->setPositionAlignment(Qt::AlignLeft | Qt::AlignBottom);
    m_floorName->setPadding(QMargins(6, 0, 0, 1));
    clear();
}

void SpeedQualityPlot::clear()
{
    m_dots.clear();
    m_speedRange.reset();
    m_errorRange.reset();
    draw();
}

void SpeedQualityPlot::show(const Comparison& comparison, const TriedSettings& tried)
{
    const QString unit = QString::fromStdString(comparison.a().result->unit);
    const QString against = comparison.referenceTitle();
    if (unit != m_unit || against != m_against)
        m_errorRange.reset();
    m_unit = unit;
    m_against = against;
    m_chosenId = comparison.a().id;
    m_dots = tried.dots(comparison);
    followRanges();
    draw();
}

double SpeedQualityPlot::errorOf(const TriedDot& dot) const
{
    return dot.rmse > 0 ? dot.rmse : m_floor;
}

void SpeedQualityPlot::followRanges()
{
    double slowest = 0, fastest = 0, least = 0, most = 0;
    for (const TriedDot& dot : m_dots) {
        const double speed = dot.speeds.kernelGups.median;
        slowest = slowest > 0 ? std::min(slowest, speed) : speed;
        fastest = std::max(fastest, speed);
        if (dot.rmse > 0)
            least = least > 0 ? std::min(least, dot.rmse) : dot.rmse;
        most = std::max(most, dot.rmse);
    }
    m_hasFloor = std::ranges::any_of(m_dots, [](const TriedDot& dot) { return dot.rmse == 0; });
    if (m_dots.empty())
        return;
    const auto follow = [](StableRange& range, double lower, double upper) {
        lower = std::log10(lower), upper = std::log10(upper);
        widen(lower, upper);
        range.follow(lower, upper);
    };
    follow(m_speedRange, slowest, fastest);
    if (most > 0)
        follow(m_errorRange, least, most);
    else if (!m_errorRange.set)
        follow(m_errorRange, 1e-9, 1e-8); // all are identical: any range will do
    // The line of the identical images lies below all errors.
    const double room = 0.14 * (m_errorRange.upper - m_errorRange.lower);
    m_floor = std::pow(10, m_errorRange.lower - 0.4 * room);
    xAxis->setRange(std::pow(10, m_speedRange.lower), std::pow(10, m_speedRange.upper));
    yAxis->setRange(std::pow(10, m_errorRange.lower - (m_hasFloor ? room : 0)), std::pow(10, m_errorRange.upper));
}

void SpeedQualityPlot::draw()
{
    const CurveColours colours = curveColours(palette());
    const QFont small = plotFont(font());
    setBackground(colours.background);
    styleAxes(axisRect(), colours, small);
    for (QCPItemText* text : {m_note, m_floorName}) {
        text->setColor(colours.quietText);
        text->setFont(text == m_note ? font() : small);
    }
    m_note->setText(tr("Every setting that is tried appears here, by speed and error"));
    m_note->setVisible(m_dots.empty());
    xAxis->setLabel(tr("kernel speed (GU/s)"));
    yAxis->setLabel(m_unit.isEmpty() ? tr("RMSE") : tr("RMSE (%1)").arg(m_unit));
    setAccessibleDescription(
        m_dots.empty()
            ? QString()
            : tr("%n setting(s), measured against %1", nullptr, static_cast<int>(m_dots.size())).arg(m_against));
    clearGraphs();
    m_floorLine->setVisible(m_hasFloor);
    m_floorName->setVisible(m_hasFloor);
    m_floorLine->setPen(QPen(colours.grid, 1, Qt::DashLine));
    m_floorLine->point1->setCoords(xAxis->range().lower, m_floor);
    m_floorLine->point2->setCoords(xAxis->range().upper, m_floor);
    m_floorName->position->setCoords(0, m_floor);
    m_floorName->setText(tr("identical"));
    drawFront();
    drawDots();
    drawNames();
    replot(rpQueuedReplot);
}

// Draws the Pareto front as steps: between two dots, it has the error of the faster one, because only that setting is
// fast enough. Joins only settings that differ in nothing but their kernels, and whose speeds are known to differ.
void SpeedQualityPlot::drawFront()
{
    std::vector<TriedDot> comparable;
    std::ranges::copy_if(m_dots, std::back_inserter(comparable),
                         [](const TriedDot& dot) { return dot.unlike.isEmpty(); });
    const TriedDot* before = nullptr;
    QCPGraph* line = nullptr;
    for (const std::size_t k : paretoFront(comparable)) {
        const TriedDot& dot = comparable[k];
        if (!before || !areApart(before->speeds.kernelGups, dot.speeds.kernelGups)) {
            line = addGraph();
            line->setName(QStringLiteral("front"));
            line->setPen(QPen(curveColours(palette()).quietText, 1));
            line->setLineStyle(QCPGraph::lsStepRight);
        }
        line->addData(dot.speeds.kernelGups.median, errorOf(dot));
        before = &dot;
    }
}

// Draws the range of the middle half of all runs.
void SpeedQualityPlot::drawSpread(const TriedDot& dot, const QColor& colour)
{
    const engine::Spread& speed = dot.speeds.kernelGups;
    if (speed.count < 2)
        return;
    QCPGraph* bar = addGraph();
    bar->setPen(QPen(colour, 1.6));
    bar->addData(speed.lower, errorOf(dot));
    bar->addData(speed.upper, errorOf(dot));
}

// Draws settings in the list filled, changed or removed ones hollow, and single runs as diamonds.
void SpeedQualityPlot::drawDots()
{
    const QColor base = curveColours(palette()).background;
    for (const bool isListed : {false, true})
        for (const TriedDot& dot : m_dots) {
            if ((dot.id != 0) != isListed)
                continue;
            const QColor colour = blend(base, settingColour(palette(), dot.colour), dot.hidden ? 0.4 : 1);
            drawSpread(dot, colour);
            QCPGraph* graph = addGraph();
            graph->setLineStyle(QCPGraph::lsNone);
            const double size = isListed && dot.id == m_chosenId ? 1.35 * dotSize : dotSize;
            const auto shape = dot.speeds.kernelGups.count > 1 ? QCPScatterStyle::ssCircle : QCPScatterStyle::ssDiamond;
            graph->setScatterStyle({shape, QPen(colour, 1.6), isListed ? colour : base, size});
            graph->addData(dot.speeds.kernelGups.median, errorOf(dot));
        }
}

// Draws the names, those of listed settings first. A name that would cover another is left to the tooltip. Settings
// that are no longer listed are described instead, as another setting may have their name now.
void SpeedQualityPlot::drawNames()
{
    for (QCPItemText* name : m_names)
        removeItem(name);
    m_names.clear();
    const CurveColours colours = curveColours(palette());
    const QFont small = plotFont(font());
    const QFontMetrics metrics(small);
    std::vector<QRectF> taken;
    for (const TriedDot& dot : m_dots)
        taken.push_back(QRectF(0, 0, dotSize, dotSize).translated(positionOf(dot) - QPointF(dotSize, dotSize) / 2));
    for (const bool isListed : {true, false})
        for (const TriedDot& dot : m_dots) {
            if ((dot.id != 0) != isListed)
                continue;
            const QString text = metrics.elidedText(isListed ? dot.label : dot.description, Qt::ElideMiddle,
                                                    24 * metrics.averageCharWidth());
            const QPointF at = positionOf(dot);
            const QSizeF size(metrics.horizontalAdvance(text), metrics.height());
            const QRectF right(at + QPointF(dotSize - 1, -size.height() / 2), size);
            const QRectF left(at - QPointF(dotSize - 1 + size.width(), size.height() / 2), size);
            const auto isFree = [&](const QRectF& place) {
                return std::ranges::none_of(taken, [&](const QRectF& other) { return other.intersects(place); });
            };
            const bool isRight = isFree(right);
            if (!isRight && !isFree(left))
                continue;
            taken.push_back(isRight ? right : left);
            auto* item = new QCPItemText(this);
            item->setText(text);
            item->setFont(small);
            item->setColor(isListed && !dot.hidden ? colours.text : colours.quietText);
            item->setPositionAlignment((isRight ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
            const int gap = static_cast<int>(dotSize) - 2;
            item->setPadding(QMargins(gap, 0, gap, 0));
            item->position->setCoords(dot.speeds.kernelGups.median, errorOf(dot));
            m_names.push_back(item);
        }
}

QPointF SpeedQualityPlot::positionOf(const TriedDot& dot) const
{
    return {xAxis->coordToPixel(dot.speeds.kernelGups.median), yAxis->coordToPixel(errorOf(dot))};
}

QString SpeedQualityPlot::textOf(const TriedDot& dot) const
{
    const engine::Spread& speed = dot.speeds.kernelGups;
    QString text = QStringLiteral("%1 · %2\n").arg(dot.name, dot.description);
    text += speed.count > 1 ? tr("%1 GU/s, median of %n runs, half of them from %2 to %3", nullptr, speed.count)
                                  .arg(gupsText(speed.median), gupsText(speed.lower), gupsText(speed.upper))
                            : tr("%1 GU/s, a single run").arg(gupsText(speed.median));
    text += u'\n';
    text += dot.rmse > 0 ? tr("RMSE %1 %2 against %3").arg(errorText(dot.rmse), m_unit, m_against)
                         : tr("identical to %1").arg(m_against);
    if (!dot.unlike.isEmpty())
        text += u'\n' + tr("Not joined with the chosen setting: %1").arg(dot.unlike);
    if (dot.hidden)
        text += u'\n' + tr("hidden");
    if (dot.id == 0)
        text += u'\n' + tr("Changed or removed since; a click brings it back");
    return text;
}

// Returns the nearest dot; at equal distances, a listed one takes precedence.
const TriedDot* SpeedQualityPlot::dotAt(QPointF position) const
{
    const TriedDot* found = nullptr;
    double nearest = dotReach;
    for (const TriedDot& dot : m_dots) {
        const QPointF away = positionOf(dot) - position;
        const double distance = std::hypot(away.x(), away.y());
        if (distance < nearest || (distance == nearest && dot.id != 0)) {
            found = &dot;
            nearest = distance;
        }
    }
    return found;
}

void SpeedQualityPlot::mouseMoveEvent(QMouseEvent* event)
{
    Plot::mouseMoveEvent(event);
    const TriedDot* dot = dotAt(event->position());
    setCursor(dot ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (dot)
        QToolTip::showText(event->globalPosition().toPoint(), textOf(*dot), this);
    else
        QToolTip::hideText();
}

void SpeedQualityPlot::leaveEvent(QEvent* event)
{
    Plot::leaveEvent(event);
    QToolTip::hideText();
}

void SpeedQualityPlot::mousePressEvent(QMouseEvent* event)
{
    const TriedDot* dot = event->button() == Qt::LeftButton ? dotAt(event->position()) : nullptr;
    if (!dot)
        return;
    const TriedDot clicked = *dot; // a copy, as the signals may replace the dots
    QToolTip::hideText();
    if (clicked.id != 0)
        emit chosen(clicked.id);
    else
        emit broughtBack(clicked.setting, clicked.name);
}

void SpeedQualityPlot::resizeEvent(QResizeEvent* event)
{
    Plot::resizeEvent(event);
    draw(); // other names fit now
}

} // namespace ui
