// The plot under the pointer and the arrow keys.
#include "ui/profile/profile_plot.h"

#include <algorithm>
#include <cmath>

namespace ui
{

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
    emit pointed(m_cursor);
}

void ProfilePlot::mouseMoveEvent(QMouseEvent* event)
{
    Plot::mouseMoveEvent(event);
    pointAt(m_lower->axis(QCPAxis::atBottom)->pixelToCoord(event->position().x()));
}

void ProfilePlot::leaveEvent(QEvent* event)
{
    Plot::leaveEvent(event);
    pointAt(qQNaN());
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
    const double from = std::isnan(m_cursor) ? m_curves.length / 2 : m_cursor + step;
    pointAt(std::clamp(from, 0.0, m_curves.length));
}

} // namespace ui
