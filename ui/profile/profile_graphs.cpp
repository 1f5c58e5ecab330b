// The plot's curves: their order, colours and values.
#include "ui/profile/profile_plot.h"

#include <algorithm>

namespace ui
{

void ProfilePlot::makeGraphs()
{
    clearGraphs();
    m_upperLegend->clearItems();
    m_lowerLegend->clearItems();
    m_valueGraphs.clear();
    m_errorGraphs.clear();
    const auto add = [this](QCPAxisRect* rect) {
        QCPGraph* graph = addGraph(rect->axis(QCPAxis::atBottom), rect->axis(QCPAxis::atLeft));
        graph->setSelectable(QCP::stNone);
        return graph;
    };
    for (const Curve& curve : m_curves.curves) {
        QCPGraph* values = add(m_upper);
        values->setName(m_figure ? curve.title : curve.name);
        m_valueGraphs.push_back(values);
        QCPGraph* errors = nullptr;
        if (!curve.error.isEmpty()) {
            errors = add(m_lower);
            errors->setName(QStringLiteral("|%1 − %2|").arg(curve.name, m_curves.referenceName));
        }
        m_errorGraphs.push_back(errors);
    }
    // The legend reads the chosen one, the others, the reference, whatever lies on top of what.
    constexpr int mostInLegend = 8; // more would hide the curves; the list of settings has their colours
    const auto ofChosenLine = std::ranges::count(m_curves.curves, 0, &Curve::line);
    const bool isCrowded = !m_figure && ofChosenLine > mostInLegend;
    for (const Curve* curve : m_curves.inOrder()) {
        const qsizetype k = curve - m_curves.curves.data();
        if (curve->role == Curve::Role::other && isCrowded)
            continue;
        if (!m_figure && curve->line > 0 && curve->role != Curve::Role::chosen)
            continue; // in the colour of its setting, in the strokes of its line
        m_valueGraphs[k]->addToLegend(m_upperLegend);
        if (m_errorGraphs[k])
            m_errorGraphs[k]->addToLegend(m_lowerLegend);
    }
    m_upperLegend->setVisible(!m_valueGraphs.isEmpty());
    // In a figure the differences have the colours of the curves above, and the axis says what they are. So it is where
    // there are more than a line has room for.
    constexpr int mostNamed = 3;
    const int count = m_lowerLegend->itemCount();
    m_lowerLegend->setVisible(!m_figure && count > 0 && count <= mostNamed);
    colourGraphs();
}

void ProfilePlot::colourGraphs()
{
    for (qsizetype k = 0; k < m_valueGraphs.size(); ++k) {
        const Curve& curve = m_curves.curves[static_cast<std::size_t>(k)];
        QPen pen(settingColour(m_figure ? paperPalette() : palette(), curve.colour),
                 curve.role == Curve::Role::chosen ? 1.6 : 1.2);
        if (curve.role == Curve::Role::reference)
            pen = QPen(m_colours.exact, 3.4); // broad and pale: what lies on it stays visible
        constexpr std::array styles = {Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine};
        pen.setStyle(styles[static_cast<std::size_t>(curve.line) % styles.size()]);
        pen.setJoinStyle(Qt::BevelJoin); // no spikes at noisy peaks
        m_valueGraphs[k]->setPen(pen);
        if (m_errorGraphs[k]) {
            if (!m_figure)
                pen.setWidthF(1.0);
            m_errorGraphs[k]->setPen(pen);
        }
    }
}

void ProfilePlot::fillGraphs()
{
    const double floor = m_lower->axis(QCPAxis::atLeft)->range().lower / 10; // zero has no logarithm
    for (qsizetype k = 0; k < m_valueGraphs.size(); ++k) {
        const Curve& curve = m_curves.curves[static_cast<std::size_t>(k)];
        m_valueGraphs[k]->setData(curve.position, curve.value, true);
        if (!m_errorGraphs[k])
            continue;
        // Denser than the pixels they fill areas anyhow, and smoothing them takes most of the time.
        m_errorGraphs[k]->setAntialiased(m_figure || curve.position.size() < width());
        if (m_logarithmic) {
            QVector<double> clamped = curve.error;
            for (double& value : clamped)
                if (value < floor)
                    value = floor;
            m_errorGraphs[k]->setData(curve.position, clamped, true);
        } else {
            m_errorGraphs[k]->setData(curve.position, curve.error, true);
        }
    }
}

} // namespace ui
