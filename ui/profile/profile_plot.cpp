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
    const int first = m_figure ? 1 : 0; // a figure's legend stands above the plots and covers nothing
    auto* margins = new QCPMarginGroup(this);
    m_upper.emplace(this, first, margins, 4);
    m_lower.emplace(this, first + 1, margins, 3);
    plotLayout()->setRowSpacing(4);
    plotLayout()->setRowStretchFactor(first, 1.5);
    m_upper->positions()->setTickLabels(false);
    connect(m_lower->values(), qOverload<const QCPRange&>(&QCPAxis::rangeChanged), this, &ProfilePlot::updateLabels);
    if (m_figure) {
        m_upper->rect()->insetLayout()->take(m_upper->legend());
        plotLayout()->addElement(0, 0, m_upper->legend());
        plotLayout()->setRowStretchFactor(0, 0.001);
        m_upper->legend()->setWrap(4);
    }
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
    setPositions(m_positions.value_or(QCPRange(0, m_curves.length)));
    m_ranges->follow(m_curves, !m_figure && isVisible());
    fillGraphs();
    updateLabels();
    if (!std::isnan(m_cursor))
        emit cursorMoved(m_cursor); // the values under it have changed
    replot(rpQueuedReplot);
}

// Creates graphs in the order of the curves; the order of the legends is another one.
void ProfilePlot::makeGraphs()
{
    clearGraphs();
    m_upper->clear();
    m_lower->clear();
    for (const Curve& curve : m_curves.curves) {
        m_upper->add(m_figure ? curve.title : curve.name);
        if (curve.error.isEmpty())
            m_lower->addNone();
        else
            m_lower->add(QStringLiteral("|%1 − %2|").arg(curve.name, m_curves.referenceName));
    }
    fillLegends();
    colourGraphs();
}

// Fills the legends in this order: the chosen setting, the others, the reference. The drawing order doesn't matter.
void ProfilePlot::fillLegends()
{
    constexpr int mostInLegend = 8; // more would hide the curves; the list of settings has their colours
    const auto ofChosenLine = std::ranges::count(m_curves.curves, 0, &Curve::line);
    const bool isCrowded = !m_figure && ofChosenLine > mostInLegend;
    for (const Curve* curve : m_curves.inOrder()) {
        const qsizetype k = curve - m_curves.curves.data();
        if (curve->role == Curve::Role::other && isCrowded)
            continue;
        if (!m_figure && curve->line > 0 && curve->role != Curve::Role::chosen)
            continue; // recognised by the colour of its setting and the strokes of its line
        m_upper->graph(k)->addToLegend(m_upper->legend());
        if (QCPGraph* errors = m_lower->graph(k))
            errors->addToLegend(m_lower->legend());
    }
    m_upper->legend()->setVisible(!m_upper->isEmpty());
    // The lower legend is omitted in figures, and if it has more entries than fit into a row: the differences have
    // the colours of the curves above, and the axis says what they are.
    constexpr int mostNamed = 3;
    const int count = m_lower->legend()->itemCount();
    m_lower->legend()->setVisible(!m_figure && count > 0 && count <= mostNamed);
}

void ProfilePlot::colourGraphs()
{
    for (qsizetype k = 0; k < qsizetype(m_curves.curves.size()); ++k) {
        const Curve& curve = m_curves.curves[static_cast<std::size_t>(k)];
        QPen pen(settingColour(m_figure ? paperPalette() : palette(), curve.colour),
                 curve.role == Curve::Role::chosen ? 1.6 : 1.2);
        if (curve.role == Curve::Role::reference)
            pen = QPen(m_colours.exact, 3.4); // broad and pale, so that curves on top of it stay visible
        constexpr std::array styles = {Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine};
        pen.setStyle(styles[static_cast<std::size_t>(curve.line) % styles.size()]);
        pen.setJoinStyle(Qt::BevelJoin); // no spikes at noisy peaks
        m_upper->graph(k)->setPen(pen);
        if (m_lower->graph(k)) {
            if (!m_figure)
                pen.setWidthF(1.0);
            m_lower->graph(k)->setPen(pen);
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

void ProfilePlot::updateLabels()
{
    const QString valueUnit = m_upper->unitWithPower(m_curves.unit);
    const QString errorUnit = m_lower->unitWithPower(m_curves.unit);
    m_upper->setLabel(tr("attenuation (%1)").arg(valueUnit), valueUnit);
    m_lower->setLabel(m_figure ? tr("|difference to %1| (%2)").arg(m_curves.referenceName, errorUnit)
                               : tr("|difference| (%1)").arg(errorUnit),
                      errorUnit);
    const QString unit = m_curves.positionUnit == QLatin1String("px") ? tr("pixels") : m_curves.positionUnit;
    const QString along = unit.isEmpty() ? QString() : tr("position along the line (%1)").arg(unit);
    m_lower->positions()->setLabel(m_isSlim ? QString() : along);
}

void ProfilePlot::applyColours()
{
    m_colours = curveColours(m_figure ? paperPalette() : palette());
    const QFont small = plotFont(font());
    setBackground(m_colours.background);
    for (ProfilePane* pane : {&*m_upper, &*m_lower})
        pane->style(m_colours, small, font());
    colourGraphs();
    replot(rpQueuedReplot);
}

void ProfilePlot::changeEvent(QEvent* event)
{
    Plot::changeEvent(event);
    if (m_lower && (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)) {
        applyColours();
        if (!std::isnan(m_cursor))
            emit cursorMoved(m_cursor); // the read-out has these colours, too
    }
}

void ProfilePlot::resizeEvent(QResizeEvent* event)
{
    Plot::resizeEvent(event);
    if (const bool isSlim = !m_figure && height() < leastForStack; isSlim != m_isSlim) {
        m_isSlim = isSlim;
        placeLower();
        replot(rpQueuedReplot);
    }
    const QString before = m_upper->values()->label() + m_lower->values()->label();
    updateLabels();
    if (before != m_upper->values()->label() + m_lower->values()->label())
        replot(rpQueuedReplot);
}

// Puts the differences below the values, or to the right of them where there is little height.
void ProfilePlot::placeLower()
{
    const int first = m_figure ? 1 : 0;
    plotLayout()->take(m_lower->rect());
    plotLayout()->simplify();
    plotLayout()->addElement(m_isSlim ? first : first + 1, m_isSlim ? 1 : 0, m_lower->rect());
    m_upper->positions()->setTickLabels(m_isSlim);
}

Drawing drawingOf(const ProfileCurves& curves, bool logarithmic)
{
    if (curves.empty())
        return {};
    const auto plot = std::make_shared<ProfilePlot>(true);
    styleForPaper(*plot);
    plot->setLogarithmic(logarithmic);
    return drawingOf(QStringLiteral("profile"), plot, [plot = plot.get(), curves] { plot->setCurves(curves); });
}

} // namespace ui
