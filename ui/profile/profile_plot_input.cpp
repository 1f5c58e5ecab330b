// SPDX-License-Identifier: GPL-3.0-or-later
// Mouse, wheel and keyboard of ProfilePlot.
#include "ui/profile/profile_plot.h"

#include <algorithm>
#include <cmath>

namespace ui
{

namespace
{

constexpr double wheelPerDoubling = 360; // three clicks of an ordinary wheel
constexpr int fewestSamples = 4;         // that a zoom leaves visible

} // namespace

void ProfilePlot::pointAt(double position)
{
    const bool inside = positions().contains(position) && !m_curves.empty();
    m_cursor = inside ? position : qQNaN();
    m_upper->setCursor(m_cursor);
    m_lower->setCursor(m_cursor);
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
    for (const ProfilePane* pane : {&*m_upper, &*m_lower})
        pane->positions()->setRange(lower, lower + span);
}

QCPRange ProfilePlot::positions() const
{
    return m_lower->positions()->range();
}

ProfileRanges::Pane ProfilePlot::paneAt(const QPointF& place) const
{
    const QRect lower = m_lower->rect()->outerRect();
    const bool isBefore = m_isSlim ? place.x() < lower.left() : place.y() < lower.top();
    return isBefore ? ProfileRanges::Pane::values : ProfileRanges::Pane::differences;
}

const ProfilePane& ProfilePlot::paneUnder(const QPointF& place) const
{
    return paneAt(place) == ProfileRanges::Pane::values ? *m_upper : *m_lower;
}

void ProfilePlot::zoomPositions(double factor, double about)
{
    const QCPRange now = positions();
    const double span = std::max(now.size() * factor, fewestSamples * m_curves.pixelSize);
    const double part = (about - now.lower) / now.size();
    setPositions({about - part * span, about - part * span + span});
}

void ProfilePlot::showAll()
{
    setPositions({0, m_curves.length});
    m_ranges->showAll();
    fillGraphs();
    updateLabels();
    replot(rpQueuedReplot);
}

// Zooms the positions; over the value axis or with Shift, the values.
void ProfilePlot::wheelEvent(QWheelEvent* event)
{
    event->accept();
    const QPointF at = event->position();
    const double turned = event->angleDelta().y() != 0 ? event->angleDelta().y() : event->angleDelta().x();
    if (turned == 0 || m_curves.empty() || m_figure)
        return;
    const double factor = std::exp2(-turned / wheelPerDoubling);
    const ProfilePane& pane = paneUnder(at);
    if (at.x() >= pane.rect()->left() && !(event->modifiers() & Qt::ShiftModifier)) {
        zoomPositions(factor, pane.positions()->pixelToCoord(at.x()));
    } else {
        m_ranges->zoom(paneAt(at), factor, at.y());
        updateLabels();
    }
    replot(rpQueuedReplot);
}

void ProfilePlot::mousePressEvent(QMouseEvent* event)
{
    Plot::mousePressEvent(event);
    m_isDragging = event->button() == Qt::LeftButton && (m_positions || m_ranges->isZoomed());
    m_dragged = event->position();
}

void ProfilePlot::mouseMoveEvent(QMouseEvent* event)
{
    Plot::mouseMoveEvent(event);
    const QCPAxis* along = paneUnder(event->position()).positions();
    if (m_isDragging) {
        const QPointF at = event->position(), from = std::exchange(m_dragged, at);
        const double moved = along->pixelToCoord(from.x()) - along->pixelToCoord(at.x());
        if (m_positions)
            setPositions({positions().lower + moved, positions().upper + moved});
        m_ranges->move(paneAt(at), from.y(), at.y());
        updateLabels();
        replot(rpQueuedReplot);
    }
    point(along->pixelToCoord(event->position().x()));
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
    const QVector<double>& samples = m_curves.curves.back().position;
    const double sample = samples.size() > 1 ? samples[1] - samples[0] : 1;
    const double step = sample * (event->modifiers() & Qt::ShiftModifier ? 10 : 1) * (left ? -1 : 1);
    const QCPRange range = positions();
    point(std::clamp(std::isnan(m_cursor) ? range.center() : m_cursor + step, range.lower, range.upper));
}

} // namespace ui
