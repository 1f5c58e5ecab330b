// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile/profile_plot.h"

#include "ui/widgets/plot_drawing.h"

#include <algorithm>
#include <cmath>

namespace ui
{

namespace
{

// Powers of ten that the logarithmic axis shows at most. An exported figure is higher and has room for more.
constexpr double decadesOnScreen = 6;
constexpr double decadesInFigure = 9;

constexpr int leastForStack = 190; // pixels of height; below, the panes are side by side

} // namespace

ProfilePlot::ProfilePlot(bool figure, QWidget* parent) : Plot(parent), m_figure(figure), m_cursor(qQNaN())
{
    makePanes();
    m_ranges = std::make_unique<ProfileRanges>(m_upper->values(), m_lower->values(),
                                               figure ? decadesInFigure : decadesOnScreen);
    connect(m_ranges.get(), &ProfileRanges::changed, this, [this] { replot(rpQueuedReplot); });
    if (!figure) {
        // The room for labels is known only when the panes are in their places.
        connect(this, &QCustomPlot::afterReplot, this, [this] {
            if (updateLabels())
                replot(rpQueuedReplot);
        });
        setMouseTracking(true);
        setFocusPolicy(Qt::StrongFocus);
        setMinimumSize(240, 90);
    }
    applyColours();
}

void ProfilePlot::makePanes()
{
    setAutoAddPlottableToLegend(false);
    // Segment by segment: one stroked path of thousands of crossing segments takes a hundred times as long.
    setPlottingHint(QCP::phFastPolylines, !m_figure);
    plotLayout()->clear();
    m_legend = new CurveLegend(this);
    m_panes = new QCPLayoutGrid;
    plotLayout()->addElement(1, 0, m_panes);
    plotLayout()->setRowSpacing(0);
    auto* margins = new QCPMarginGroup(this);
    m_upper.emplace(this, m_panes, 0, margins, 4);
    m_lower.emplace(this, m_panes, 1, margins, 3);
    m_panes->setRowSpacing(4);
    m_panes->setRowStretchFactor(0, 1.5);
    m_upper->positions()->setTickLabels(false);
    connect(m_lower->values(), qOverload<const QCPRange&>(&QCPAxis::rangeChanged), this, &ProfilePlot::updateLabels);
}

void ProfilePlot::setCurves(const ProfileCurves& curves)
{
    const auto sameShape = [](const ProfileCurves& x, const ProfileCurves& y) {
        return std::equal(x.curves.begin(), x.curves.end(), y.curves.begin(), y.curves.end(),
                          [](const Curve& p, const Curve& q) {
                              return p.role == q.role && p.line == q.line && p.name == q.name && p.title == q.title &&
                                     p.error.isEmpty() == q.error.isEmpty();
                          });
    };
    const bool rebuild = !sameShape(m_curves, curves);
    if (m_curves.unit != curves.unit || m_curves.positionUnit != curves.positionUnit)
        forgetRanges();
    if (m_curves.lines.size() != curves.lines.size())
        m_positions.reset(); // the zoomed range was for other lines
    m_curves = curves;
    if (rebuild)
        makeGraphs();
    fitLegend();
    setPositions(m_positions.value_or(QCPRange(0, m_curves.length)));
    m_ranges->follow(m_curves, !m_figure && isVisible());
    fillGraphs();
    updateLabels();
    if (!std::isnan(m_cursor))
        emit cursorMoved(m_cursor); // the values under it have changed
    replot(rpQueuedReplot);
}

// Creates graphs in the order of the curves; the order of the legend is another one.
void ProfilePlot::makeGraphs()
{
    clearGraphs();
    m_legend->clear();
    m_upper->clear();
    m_lower->clear();
    for (const Curve& curve : m_curves.curves) {
        m_upper->add();
        if (curve.error.isEmpty())
            m_lower->addNone();
        else
            m_lower->add();
    }
    fillLegend();
    colourGraphs();
}

// Fills the legend in the order of the settings, then the reference. It is also that of the differences.
void ProfilePlot::fillLegend()
{
    const auto isAnother = [](const Curve& curve) { return curve.role == Curve::Role::other; };
    const bool isOne = std::ranges::none_of(m_curves.curves, isAnother);
    for (const Curve* curve : m_curves.inOrder()) {
        if (!m_figure && curve->line > 0 && curve->role != Curve::Role::chosen)
            continue; // recognised by the stroke of its setting and the marks of its line
        const QString& whole = curve->title.isEmpty() ? curve->name : curve->title;
        QCPGraph* graph = m_upper->graph(curve - m_curves.curves.data());
        m_legend->add(graph, m_figure && isOne ? whole : curve->name, curve->briefName, whole);
    }
}

void ProfilePlot::fitLegend()
{
    m_legend->fit(viewport().size(), m_colours, plotFont(font()));
}

// Curves along further lines have marks of another shape each.
void ProfilePlot::markLine(QCPGraph* graph, const Curve& curve) const
{
    constexpr std::array shapes = {QCPScatterStyle::ssCircle, QCPScatterStyle::ssSquare, QCPScatterStyle::ssTriangle,
                                   QCPScatterStyle::ssDiamond};
    constexpr int marks = 12; // along a curve
    constexpr double size = 6;
    if (curve.line == 0)
        return graph->setScatterStyle(QCPScatterStyle::ssNone);
    const QPen pen(graph->pen().color(), 1);
    graph->setScatterStyle(
        {shapes[static_cast<std::size_t>(curve.line - 1) % shapes.size()], pen, QBrush(m_colours.background), size});
    graph->setScatterSkip(static_cast<int>(curve.position.size()) / marks);
}

void ProfilePlot::colourGraphs()
{
    const QPalette& colours = m_figure ? m_paper : palette();
    for (qsizetype k = 0; k < qsizetype(m_curves.curves.size()); ++k) {
        const Curve& curve = m_curves.curves[static_cast<std::size_t>(k)];
        for (QCPGraph* graph : {m_upper->graph(k), m_lower->graph(k)}) {
            if (!graph)
                continue;
            if (curve.role == Curve::Role::reference)
                graph->setPen(QPen(m_colours.exact, 3.4)); // broad and pale, so that curves on top of it stay visible
            else
                drawAsSetting(graph, colours, curve.colour);
            markLine(graph, curve);
        }
    }
}

void ProfilePlot::fillGraphs()
{
    const double floor = m_lower->values()->range().lower / 10; // replaces zeros, which have no logarithm
    for (qsizetype k = 0; k < qsizetype(m_curves.curves.size()); ++k) {
        const Curve& curve = m_curves.curves[static_cast<std::size_t>(k)];
        m_upper->graph(k)->setData(curve.position, curve.value, true);
        if (!m_lower->graph(k))
            continue;
        // Curves denser than the pixels fill areas anyway, and antialiasing them takes most of the time.
        m_lower->graph(k)->setAntialiased(m_figure || curve.position.size() < width());
        if (m_ranges->isLogarithmic()) {
            QVector<double> clamped = curve.error;
            for (double& value : clamped)
                if (value < floor)
                    value = floor;
            m_lower->graph(k)->setData(curve.position, clamped, true);
        } else {
            m_lower->graph(k)->setData(curve.position, curve.error, true);
        }
    }
}

void ProfilePlot::setLogarithmic(bool logarithmic)
{
    if (m_ranges->isLogarithmic() == logarithmic)
        return;
    m_lower->setLogarithmic(logarithmic);
    m_ranges->setLogarithmic(logarithmic);
    fillGraphs();
    updateLabels();
    replot(rpQueuedReplot);
}

void ProfilePlot::forgetRanges()
{
    m_ranges->forget();
    m_positions.reset();
}

void ProfilePlot::setNotes(const QString& upper, const QString& lower)
{
    m_upper->setNote(upper);
    m_upper->showNote(true);
    m_lower->setNote(lower);
    m_lower->showNote(true);
    replot(rpQueuedReplot);
}

bool ProfilePlot::updateLabels()
{
    bool isChanged = false;
    for (ProfilePane* pane : {&*m_upper, &*m_lower})
        isChanged |= pane->fitTicks();
    isChanged |= m_upper->setLabel(tr("attenuation"), m_upper->unitWithPower(m_curves.unit), m_figure);
    const QString difference = m_figure ? tr("|difference to %1|").arg(m_curves.referenceName) : tr("|difference|");
    const QString unit = m_hasLower ? m_lower->unitWithPower(m_curves.unit) : QString();
    isChanged |= m_lower->setLabel(difference, unit, m_figure);
    const QString ofPosition = m_curves.positionUnit == QLatin1String("px") ? tr("pixels") : m_curves.positionUnit;
    const QString along = ofPosition.isEmpty() ? QString() : tr("position along the line (%1)").arg(ofPosition);
    m_lower->positions()->setLabel(m_isSlim ? QString() : along);
    m_upper->positions()->setLabel(m_hasLower ? QString() : along);
    return isChanged;
}

void ProfilePlot::applyColours()
{
    m_colours = curveColours(m_figure ? m_paper : palette());
    const QFont small = plotFont(font());
    setBackground(m_colours.background);
    for (ProfilePane* pane : {&*m_upper, &*m_lower})
        pane->style(m_colours, small, font());
    colourGraphs();
    fitLegend();
    replot(rpQueuedReplot);
}

void ProfilePlot::restyle()
{
    if (!m_lower)
        return;
    applyColours();
    if (!std::isnan(m_cursor))
        emit cursorMoved(m_cursor); // the read-out has these colours, too
}

void ProfilePlot::resizeEvent(QResizeEvent* event)
{
    if (const bool isSlim = !m_figure && height() < leastForStack; isSlim != m_isSlim) {
        m_isSlim = isSlim;
        placeLower();
    }
    setViewport(rect());
    fitLegend();
    Plot::resizeEvent(event); // draws
}

void ProfilePlot::showDifferences(bool shown)
{
    if (m_hasLower == shown)
        return;
    m_hasLower = shown;
    placeLower();
}

// Puts the differences below the values, or to the right of them where there is little height.
void ProfilePlot::placeLower()
{
    QCPAxisRect* lower = m_lower->rect();
    if (lower->layout()) {
        m_panes->take(lower);
        m_panes->simplify();
    }
    lower->setVisible(m_hasLower);
    if (m_hasLower)
        m_panes->addElement(m_isSlim ? 0 : 1, m_isSlim ? 1 : 0, lower);
    m_upper->positions()->setTickLabels(m_isSlim || !m_hasLower);
}

Drawing drawingOf(const ProfileCurves& curves, bool logarithmic)
{
    if (curves.empty())
        return {};
    const auto plot = std::make_shared<ProfilePlot>(true);
    styleForPaper(*plot);
    plot->setLogarithmic(logarithmic);
    Drawing drawing =
        drawingOf(QStringLiteral("profile"), plot, [plot = plot.get(), curves] { plot->setCurves(curves); });
    drawing.hasDifferences = std::ranges::any_of(curves.curves, [](const Curve& one) { return !one.error.isEmpty(); });
    drawing.draw = [plot, draw = drawing.draw](QPainter& painter, const QSizeF& points, const DrawingLook& look) {
        plot->showDifferences(look.differences);
        draw(painter, points, look);
    };
    return drawing;
}

} // namespace ui
