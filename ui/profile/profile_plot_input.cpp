// The plot under the pointer, the wheel and the arrow keys.
#include "ui/profile/profile_plot.h"

#include <algorithm>
#include <cmath>

namespace ui
{

namespace
{

constexpr double wheelPerDoubling = 360; // three clicks of an ordinary wheel
constexpr int fewestSamples = 4;         // that a zoom leaves on show

} // namespace

void ProfilePlot::pointAt(double position)
{
    const QCPRange range = m_lower->axis(QCPAxis::atBottom)->range();
    const bool inside = range.contains(position) && !m_curves.empty();
    m_cursor = inside ? position : qQNaN();
    for (QCPItemStraightLine* cursor : {m_upperCursor, m_lowerCursor}) {
        cursor->setVisible(inside);
        if (inside) {
            cursor->point1->setCoords(position, 0);
            cursor->point2->setCoords(position, 1);
        }
    }
    layer(QStringLiteral("overlay"))->replot();
    emit cursorMoved(m_cursor);
}

void ProfilePlot::point(double position)
{
    pointAt(position);
    emit pointed(m_cursor);
}

void ProfilePlot::setPositions(const QCPRange& range)
{
    if (!(m_curves.length > 0))
        return;
    const double length = m_curves.length, span = std::min(range.size(), length);
    const double lower = std::clamp(range.lower, 0.0, length - span);
    m_positions = span < length ? std::optional(QCPRange(lower, lower + span)) : std::nullopt;
    for (QCPAxisRect* rect : {m_upper, m_lower})
        rect->axis(QCPAxis::atBottom)->setRange(lower, lower + span);
}

void ProfilePlot::zoomPositions(double factor, double about)
{
    const QCPRange now = m_lower->axis(QCPAxis::atBottom)->range();
    const double span = std::max(now.size() * factor, fewestSamples * m_curves.pixelSize);
    const double part = (about - now.lower) / now.size();
    setPositions({about - part * span, about - part * span + span});
}

void ProfilePlot::showAll()
{
    m_zoomed = {};
    setPositions({0, m_curves.length});
    showRanges(1);
    fillGraphs();
    updateLabels();
    replot(rpQueuedReplot);
}

// Positions; values over their axis, or with Shift.
void ProfilePlot::wheelEvent(QWheelEvent* event)
{
    event->accept();
    const QPointF at = event->position();
    const double turned = event->angleDelta().y() != 0 ? event->angleDelta().y() : event->angleDelta().x();
    if (turned == 0 || m_curves.empty() || m_figure)
        return;
    const double factor = std::exp2(-turned / wheelPerDoubling);
    if (at.x() >= m_upper->left() && !(event->modifiers() & Qt::ShiftModifier)) {
        zoomPositions(factor, m_lower->axis(QCPAxis::atBottom)->pixelToCoord(at.x()));
    } else {
        const bool upper = at.y() < m_lower->outerRect().top();
        QCPAxis* axis = (upper ? m_upper : m_lower)->axis(QCPAxis::atLeft);
        m_animation.stop();
        axis->scaleRange(factor, axis->pixelToCoord(at.y()));
        m_zoomed[upper ? 0 : 1] = true;
        updateLabels();
    }
    replot(rpQueuedReplot);
}

void ProfilePlot::mousePressEvent(QMouseEvent* event)
{
    Plot::mousePressEvent(event);
    m_isDragging = event->button() == Qt::LeftButton && (m_positions || m_zoomed[0] || m_zoomed[1]);
    m_dragged = event->position();
}

void ProfilePlot::mouseMoveEvent(QMouseEvent* event)
{
    Plot::mouseMoveEvent(event);
    QCPAxis* positions = m_lower->axis(QCPAxis::atBottom);
    if (m_isDragging) {
        const QPointF at = event->position(), from = std::exchange(m_dragged, at);
        const double moved = positions->pixelToCoord(from.x()) - positions->pixelToCoord(at.x());
        if (m_positions)
            setPositions({positions->range().lower + moved, positions->range().upper + moved});
        const bool upper = at.y() < m_lower->outerRect().top();
        QCPAxis* axis = (upper ? m_upper : m_lower)->axis(QCPAxis::atLeft);
        if (m_zoomed[upper ? 0 : 1] && axis->scaleType() == QCPAxis::stLogarithmic)
            axis->setRange(axis->range() * (axis->pixelToCoord(from.y()) / axis->pixelToCoord(at.y())));
        else if (m_zoomed[upper ? 0 : 1])
            axis->moveRange(axis->pixelToCoord(from.y()) - axis->pixelToCoord(at.y()));
        updateLabels();
        replot(rpQueuedReplot);
    }
    point(positions->pixelToCoord(event->position().x()));
}

void ProfilePlot::mouseReleaseEvent(QMouseEvent* event)
{
    Plot::mouseReleaseEvent(event);
    m_isDragging = false;
}

void ProfilePlot::mouseDoubleClickEvent(QMouseEvent* event)
{
    Plot::mouseDoubleClickEvent(event);
    showAll();
}

void ProfilePlot::leaveEvent(QEvent* event)
{
    Plot::leaveEvent(event);
    point(qQNaN());
}

void ProfilePlot::keyPressEvent(QKeyEvent* event)
{
    const bool left = event->key() == Qt::Key_Left;
    if (m_curves.empty() || (!left && event->key() != Qt::Key_Right)) {
        Plot::keyPressEvent(event);
        return;
    }
    const QVector<double>& positions = m_curves.curves.back().position;
    const double sample = positions.size() > 1 ? positions[1] - positions[0] : 1;
    const double step = sample * (event->modifiers() & Qt::ShiftModifier ? 10 : 1) * (left ? -1 : 1);
    const QCPRange range = m_lower->axis(QCPAxis::atBottom)->range();
    point(std::clamp(std::isnan(m_cursor) ? range.center() : m_cursor + step, range.lower, range.upper));
}

} // namespace ui
