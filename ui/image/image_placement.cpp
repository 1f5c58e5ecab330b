// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/image/image_placement.h"

#include <algorithm>
#include <utility>

namespace ui
{

namespace
{

constexpr double fitMargin = 2;      // device-independent pixels around a fitted slice
constexpr double largestPixel = 128; // device-independent pixels
constexpr double smallestSlice = 24; // the slice is never zoomed to less than this on screen
constexpr double keepVisible = 0.5;  // how far the middle of the view may leave the slice, in its pixels

} // namespace

// Adds half a pixel before scaling, so that the edges of image pixels lie at whole multiples of the magnification. As
// the scroll bars move by whole pixels, too, these edges fall on whole device pixels at whole magnifications.
QTransform ImagePlacement::toView() const
{
    const QPointF by = scale();
    return {by.x(), 0, 0, by.y(), by.x() / 2, by.y() / 2};
}

QPointF ImagePlacement::centre() const
{
    const QPointF by = scale();
    return {(m_viewpoint.centre.x() + 0.5) * by.x(), (m_viewpoint.centre.y() + 0.5) * by.y()};
}

double ImagePlacement::fittingScale(const QSize& room) const
{
    if (isEmpty())
        return 1;
    const double across = std::max(room.width() - 2 * fitMargin, 1.0) / m_extent.width();
    const double down = std::max(room.height() - 2 * fitMargin, 1.0) / (m_extent.height() * m_stretch);
    return std::min(across, down);
}

void ImagePlacement::setExtent(const QSize& extent, bool filling)
{
    m_extent = extent;
    m_filling = filling;
    m_size = std::max(extent.width(), extent.height());
}

bool ImagePlacement::stretch(const QSize& room)
{
    const QSizeF inside = QSizeF(room) - QSizeF(2 * fitMargin, 2 * fitMargin);
    const bool isPossible = m_filling && !m_extent.isEmpty() && inside.width() >= 1 && inside.height() >= 1;
    const double next = isPossible ? inside.height() / m_extent.height() / (inside.width() / m_extent.width()) : 1;
    return std::exchange(m_stretch, next) != next;
}

bool ImagePlacement::setViewpoint(const Viewpoint& viewpoint)
{
    if (viewpoint == m_viewpoint)
        return false;
    m_viewpoint = viewpoint;
    return true;
}

Viewpoint ImagePlacement::zoomed(double factor, const QPointF& offset, const QSize& room) const
{
    const QPointF unstretched(offset.x(), offset.y() / m_stretch);
    const double smallest = std::min(smallestSlice / m_size, fittingScale(room));
    Viewpoint next = m_viewpoint;
    next.scale = std::clamp(m_viewpoint.scale * factor, smallest, largestPixel);
    next.centre = m_viewpoint.centre + unstretched / m_viewpoint.scale - unstretched / next.scale;
    next.fitted = false;
    return next;
}

Viewpoint ImagePlacement::panned(const QPointF& offset) const
{
    const QPointF by = scale();
    const QPointF centre = m_viewpoint.centre - QPointF(offset.x() / by.x(), offset.y() / by.y());
    Viewpoint next = m_viewpoint;
    next.centre = QPointF(std::clamp(centre.x(), -keepVisible, m_extent.width() - 1 + keepVisible),
                          std::clamp(centre.y(), -keepVisible, m_extent.height() - 1 + keepVisible));
    next.fitted = false;
    return next;
}

} // namespace ui
