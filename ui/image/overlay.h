// What lies over all three images: the profile line, the region for metrics, the pointer's marker.
#pragma once

#include "engine/compare/profile.h"
#include "engine/setting.h"

#include <QPointF>
#include <QRectF>

#include <optional>

class QPainter;

namespace ui
{

// In pixels of the whole slice.
struct Overlay {
    engine::Line line;
    bool lineVisible = true;
    std::optional<engine::Region> region;
    std::optional<QPointF> marker;
};

enum class LinePart { none, begin, end, middle };

// What of the line a point meets, all in screen coordinates; the ends win over the middle.
LinePart partAt(const QPointF& point, const QPointF& begin, const QPointF& end);

// The line after a part of it was dragged to `position` from `from`, on a slice of `size` pixels. The
// ends go in steps of half a pixel and stay on the slice. Constrained: an end keeps to horizontal,
// vertical or 45° as seen from the other; the whole line moves along one axis.
engine::Line dragged(const engine::Line& line, LinePart part, const QPointF& from, const QPointF& position, int size,
                     bool constrained);

// Top to bottom through the middle.
engine::Line defaultLine(int size);

// The pixels whose centres lie between two corners, clipped to the slice; nothing when there are none.
std::optional<engine::Region> regionBetween(const QPointF& corner, const QPointF& opposite, int size);
QRectF outline(const engine::Region& region); // edges of its pixels

// In screen coordinates, with pens that stand out on dark and on bright.
void drawLine(QPainter& painter, const QPointF& begin, const QPointF& end, LinePart emphasised);
void drawRegion(QPainter& painter, const QRectF& rectangle);
void drawMarker(QPainter& painter, const QPointF& position);

} // namespace ui
