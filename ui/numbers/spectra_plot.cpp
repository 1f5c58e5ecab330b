#include "ui/numbers/spectra_plot.h"

#include <algorithm>
#include <cmath>

namespace ui
{

namespace
{

constexpr double nyquist = 0.5;     // cycles a pixel
constexpr double leastRatio = 1e-4; // of powers, that the axis goes down to
constexpr double leastRange = 10;   // that it shows at least: from 0.3 to 3
constexpr double mostRatio = 1e3;

} // namespace

SpectraPlot::SpectraPlot(QWidget* parent) : Plot(parent), m_upper(new QCPAxisRect(this)), m_lower(new QCPAxisRect(this))
{
    setObjectName(QStringLiteral("spectra"));
    setAccessibleName(tr("Fourier ring correlation and ratio of powers"));
    setMinimumSize(240, 140);
    setAutoAddPlottableToLegend(false);
    plotLayout()->clear();
    plotLayout()->addElement(0, 0, m_upper);
    plotLayout()->addElement(1, 0, m_lower);
    plotLayout()->setRowSpacing(4);
    plotLayout()->setRowStretchFactor(0, 1.5);
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
    m_upper->axis(QCPAxis::atLeft)->setLabel(tr("correlation"));
    m_upper->axis(QCPAxis::atLeft)->ticker()->setTickCount(3);
    QCPAxis* ratio = m_lower->axis(QCPAxis::atLeft);
    ratio->setScaleType(QCPAxis::stLogarithmic);
    m_lower->axis(QCPAxis::atRight)->setScaleType(QCPAxis::stLogarithmic);
    ratio->setTicker(QSharedPointer<LogTicker>::create(false));
    ratio->setLabel(tr("power ratio"));
    m_lower->axis(QCPAxis::atBottom)->setLabel(tr("frequency (cycles/pixel)"));
    m_legend = addLegend(m_upper);
    m_upper->insetLayout()->setInsetAlignment(0, Qt::AlignBottom | Qt::AlignLeft); // where correlations rarely are
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
    const auto add = [&](QCPAxisRect* rect, const QVector<double>& x, const QVector<double>& y, const QPen& pen) {
        QCPGraph* graph = addGraph(rect->axis(QCPAxis::atBottom), rect->axis(QCPAxis::atLeft));
        graph->setPen(pen);
        graph->setData(x, y, true);
        return graph;
    };
    const auto legend = [this](QCPGraph* graph, const QString& text) {
        graph->setName(text);
        m_legend->addItem(new QCPPlottableLegendItem(m_legend, graph));
    };
    if (!m_curves.curves.empty()) {
        legend(add(m_upper, m_curves.frequency, m_curves.threshold, QPen(colours.quietText, 1, Qt::DashLine)),
               tr("half a bit"));
        add(m_lower, {0, nyquist}, {1, 1}, QPen(colours.quietText, 1, Qt::DashLine));
    }
    for (const SpectrumCurve& curve : m_curves.curves) {
        const QPen pen(settingColour(palette(), curve.colour), 1.2);
        legend(add(m_upper, curve.frequency, curve.correlation, pen),
               curve.resolution.isEmpty() ? curve.name : tr("%1: %2").arg(curve.name, curve.resolution));
        add(m_lower, curve.frequency, curve.powerRatio, pen);
    }
}

void SpectraPlot::draw()
{
    const CurveColours colours = curveColours(palette());
    const QFont small = plotFont(font());
    setBackground(colours.background);
    clearGraphs();
    m_legend->clearItems();
    double least = 1 / std::sqrt(leastRange), most = std::sqrt(leastRange);
    for (const SpectrumCurve& curve : m_curves.curves)
        for (const double ratio : curve.powerRatio)
            if (std::isfinite(ratio)) {
                least = std::min(least, std::max(0.8 * ratio, leastRatio));
                most = std::max(most, std::min(1.25 * ratio, mostRatio));
            }
    m_lower->axis(QCPAxis::atLeft)->setRange(least, most);
    addCurves();
    for (QCPAxisRect* rect : {m_upper, m_lower})
        styleAxes(rect, colours, small);
    styleLegend(m_legend, colours, small);
    m_legend->setVisible(!m_curves.curves.empty());
    constexpr int rows = 5; // of the legend, before a column of its own
    m_legend->setWrap(rows);
    m_note->setColor(colours.quietText);
    m_note->setFont(font());
    m_note->setVisible(m_curves.curves.empty());
    replot(rpQueuedReplot);
}

void SpectraPlot::changeEvent(QEvent* event)
{
    Plot::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        draw();
}

} // namespace ui
