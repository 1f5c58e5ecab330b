// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/numbers/histogram_plot.h"

#include <algorithm>

namespace ui
{

namespace
{

// Of the reference: broad, so that curves on top of it stay visible.
QPen penOf(const HistogramCurve& reference, const QPalette& palette)
{
    const CurveColours colours = curveColours(palette);
    return {reference.of == HistogramCurve::Of::exact ? colours.exact : colours.phantom, 3};
}

} // namespace

HistogramPlot::HistogramPlot(QWidget* parent)
    : Plot(parent), m_values(new QCPAxisRect(this)), m_errors(new QCPAxisRect(this))
{
    setObjectName(QStringLiteral("histograms"));
    setAccessibleName(tr("Histograms of values and of differences"));
    setMinimumSize(240, 120);
    setAutoAddPlottableToLegend(false);
    plotLayout()->clear();
    m_legend = new CurveLegend(this);
    auto* beside = new QCPLayoutGrid;
    plotLayout()->addElement(1, 0, beside);
    plotLayout()->setRowSpacing(0);
    beside->addElement(0, 0, m_values);
    beside->addElement(0, 1, m_errors);
    for (QCPAxisRect* rect : {m_values, m_errors}) {
        rect->setupFullAxesBox(true);
        rect->setMinimumMargins(QMargins(0, 4, 10, 4));
        rect->axis(QCPAxis::atLeft)->setNumberFormat(QStringLiteral("gb"));
        rect->axis(QCPAxis::atBottom)->setNumberFormat(QStringLiteral("gb"));
        rect->axis(QCPAxis::atBottom)->ticker()->setTickCount(4);
    }
    m_values->axis(QCPAxis::atLeft)->setLabel(tr("pixels"));
    m_note = new QCPItemText(this);
    m_note->position->setType(QCPItemPosition::ptViewportRatio);
    m_note->position->setCoords(0.5, 0.5);
    draw();
}

void HistogramPlot::setCurves(const HistogramCurves& curves, const QString& note)
{
    m_curves = curves;
    m_note->setText(note);
    draw();
}

void HistogramPlot::setLogarithmic(bool logarithmic)
{
    m_logarithmic = logarithmic;
    draw();
}

void HistogramPlot::addCurves(QCPAxisRect* rect, const std::vector<HistogramCurve>& curves, bool inLegend)
{
    double most = 1;
    for (const HistogramCurve& curve : curves) {
        QCPGraph* graph = addGraph(rect->axis(QCPAxis::atBottom), rect->axis(QCPAxis::atLeft));
        if (curve.of == HistogramCurve::Of::setting)
            drawAsSetting(graph, palette(), curve.colour);
        else
            graph->setPen(penOf(curve, palette()));
        graph->setLineStyle(QCPGraph::lsStepCenter);
        QVector<double> pixels = curve.pixels;
        for (double& count : pixels) {
            most = std::max(most, count);
            if (m_logarithmic)
                count = std::max(count, 0.1); // 0 has no logarithm
        }
        graph->setData(curve.value, pixels, true);
        if (inLegend)
            m_legend->add(graph, curve.name, curve.briefName);
    }
    for (const auto side : {QCPAxis::atLeft, QCPAxis::atRight}) {
        QCPAxis* axis = rect->axis(side);
        axis->setScaleType(m_logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
        axis->setTicker(m_logarithmic ? QSharedPointer<QCPAxisTicker>(QSharedPointer<LogTicker>::create(true))
                                      : QSharedPointer<QCPAxisTicker>::create());
        axis->ticker()->setTickCount(4);
        axis->setRange(m_logarithmic ? 0.7 : 0, m_logarithmic ? 1.6 * most : 1.05 * most);
    }
    if (!curves.empty()) {
        const QVector<double>& value = curves.front().value;
        const double half = value.size() > 1 ? (value[1] - value[0]) / 2 : 0;
        rect->axis(QCPAxis::atBottom)->setRange(value.front() - half, value.back() + half);
    }
}

void HistogramPlot::draw()
{
    const CurveColours colours = curveColours(palette());
    const QFont small = plotFont(font());
    setBackground(colours.background);
    clearGraphs();
    m_legend->clear();
    m_values->axis(QCPAxis::atBottom)->setLabel(tr("value (%1)").arg(m_curves.unit));
    m_errors->axis(QCPAxis::atBottom)->setLabel(tr("difference to %1 (%2)").arg(m_curves.reference, m_curves.unit));
    addCurves(m_values, m_curves.values, true);
    addCurves(m_errors, m_curves.errors, false);
    for (QCPAxisRect* rect : {m_values, m_errors})
        styleAxes(rect, colours, small);
    fitLegend();
    const bool isThere = !m_curves.values.empty();
    for (QCPAxisRect* rect : {m_values, m_errors}) // no axes without curves
        for (QCPAxis* axis : rect->axes())
            axis->setVisible(isThere);
    m_note->setColor(colours.quietText);
    m_note->setFont(font());
    m_note->setVisible(!isThere);
    replot(rpQueuedReplot);
}

void HistogramPlot::resizeEvent(QResizeEvent* event)
{
    setViewport(rect());
    fitLegend();
    Plot::resizeEvent(event); // draws
}

void HistogramPlot::fitLegend()
{
    m_legend->fit(viewport().size(), curveColours(palette()), plotFont(font()));
}

} // namespace ui
