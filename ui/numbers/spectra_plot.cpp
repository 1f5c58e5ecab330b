// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/numbers/spectra_plot.h"

#include <algorithm>
#include <cmath>

namespace ui
{

namespace
{

constexpr double nyquist = 0.5;     // cycles per pixel
constexpr double leastRatio = 1e-4; // the axis of power ratios never begins below this
constexpr double leastRange = 10;   // the axis spans at least this factor: from 0.3 to 3
constexpr double mostRatio = 1e3;
constexpr int leastHeightOfLabels = 170; // pixels of height; below, the curves need the room

} // namespace

SpectraPlot::SpectraPlot(QWidget* parent) : Plot(parent), m_upper(new QCPAxisRect(this)), m_lower(new QCPAxisRect(this))
{
    setObjectName(QStringLiteral("spectra"));
    setAccessibleName(tr("Fourier ring correlation and ratio of powers"));
    setMinimumSize(240, 104);
    setAutoAddPlottableToLegend(false);
    plotLayout()->clear();
    m_legend = new CurveLegend(this);
    plotLayout()->addElement(1, 0, m_upper);
    plotLayout()->addElement(2, 0, m_lower);
    plotLayout()->setRowSpacing(4);
    plotLayout()->setRowStretchFactor(1, 1.5);
    auto* margins = new QCPMarginGroup(this);
    for (QCPAxisRect* rect : {m_upper, m_lower}) {
        rect->setMarginGroup(QCP::msLeft | QCP::msRight, margins);
        rect->setupFullAxesBox(true);
        rect->setMinimumMargins(QMargins(
            fontMetrics().horizontalAdvance(QStringLiteral("5·10⁻⁴")) + fontMetrics().height() + 16, 6, 10, 4));
        rect->axis(QCPAxis::atBottom)->setRange(0, nyquist);
    }
    m_upper->axis(QCPAxis::atBottom)->setTickLabels(false);
    m_upper->axis(QCPAxis::atLeft)->setRange(-0.05, 1.05);
    m_upper->axis(QCPAxis::atLeft)->ticker()->setTickCount(3);
    QCPAxis* ratio = m_lower->axis(QCPAxis::atLeft);
    ratio->setScaleType(QCPAxis::stLogarithmic);
    m_lower->axis(QCPAxis::atRight)->setScaleType(QCPAxis::stLogarithmic);
    ratio->setTicker(QSharedPointer<LogTicker>::create(false));
    setToolTip(tr("Above, the correlation over the frequency in cycles per pixel; below, the ratio of powers. Beside "
                  "each name: the resolution, where its correlation falls below half a bit for three rings or more; a "
                  "dip of one or two rings isn't counted"));
    m_note = new QCPItemText(this);
    m_note->position->setType(QCPItemPosition::ptAxisRectRatio);
    m_note->position->setAxisRect(m_upper);
    m_note->position->setCoords(0.5, 0.5);
    draw();
}

void SpectraPlot::setCurves(const SpectraCurves& curves, const QString& note)
{
    m_curves = curves;
    m_note->setText(note);
    draw();
}

void SpectraPlot::addCurves()
{
    const CurveColours colours = curveColours(palette());
    const auto add = [this](QCPAxisRect* rect, const QVector<double>& x, const QVector<double>& y) {
        QCPGraph* graph = addGraph(rect->axis(QCPAxis::atBottom), rect->axis(QCPAxis::atLeft));
        graph->setData(x, y, true);
        return graph;
    };
    if (!m_curves.curves.empty()) {
        QCPGraph* threshold = add(m_upper, m_curves.frequency, m_curves.threshold);
        for (QCPGraph* line : {threshold, add(m_lower, {0, nyquist}, {1, 1})})
            line->setPen(QPen(colours.quietText, 1)); // thinner than all curves
        m_legend->add(threshold, tr("½-bit threshold"));
    }
    for (const SpectrumCurve& curve : m_curves.curves) {
        QCPGraph* correlation = add(m_upper, curve.frequency, curve.correlation);
        for (QCPGraph* graph : {correlation, add(m_lower, curve.frequency, curve.powerRatio)})
            drawAsSetting(graph, palette(), curve.colour);
        const auto withResolution = [&curve](const QString& name) {
            return curve.resolution.isEmpty() ? name : tr("%1: %2").arg(name, curve.resolution);
        };
        m_legend->add(correlation, withResolution(curve.name), withResolution(curve.briefName));
    }
}

void SpectraPlot::draw()
{
    const CurveColours colours = curveColours(palette());
    const QFont small = plotFont(font());
    setBackground(colours.background);
    clearGraphs();
    m_legend->clear();
    double least = 1 / std::sqrt(leastRange), most = std::sqrt(leastRange);
    for (const SpectrumCurve& curve : m_curves.curves)
        for (const double ratio : curve.powerRatio)
            if (std::isfinite(ratio)) {
                least = std::min(least, std::max(0.8 * ratio, leastRatio));
                most = std::max(most, std::min(1.25 * ratio, mostRatio));
            }
    m_lower->axis(QCPAxis::atLeft)->setRange(least, most);
    const bool hasRoom = height() >= leastHeightOfLabels;
    m_upper->axis(QCPAxis::atLeft)->setLabel(hasRoom ? tr("correlation") : QString());
    m_lower->axis(QCPAxis::atLeft)->setLabel(hasRoom ? tr("power ratio") : QString());
    m_lower->axis(QCPAxis::atBottom)->setLabel(hasRoom ? tr("frequency (cycles/pixel)") : QString());
    addCurves();
    for (QCPAxisRect* rect : {m_upper, m_lower})
        styleAxes(rect, colours, small);
    m_legend->fit(viewport().size(), colours, small);
    m_note->setColor(colours.quietText);
    m_note->setFont(font());
    m_note->setVisible(m_curves.curves.empty());
    replot(rpQueuedReplot);
}

void SpectraPlot::resizeEvent(QResizeEvent* event)
{
    Plot::resizeEvent(event);
    draw(); // the width determines how many names fit in a row
}

} // namespace ui
