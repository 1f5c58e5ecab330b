// SPDX-License-Identifier: GPL-3.0-or-later
// Lines and areas as they lie on a slice: their outlines, the handles to drag, and what dragging makes of them. All in
// pixels of the slice.
#pragma once

#include "engine/compare/marks.h"

#include <QPainterPath>
#include <QPointF>

#include <optional>
#include <vector>

namespace ui
{

// What the mouse draws; axis: nothing, it moves the rotation axis.
enum class Tool { none, line, ring, rectangle, ellipse, circle, polygon, axis };

QPointF toPoint(const engine::Point& point);
QPointF onSlice(const QPointF& position, int size); // the nearest half pixel of the slice
// size: pixels along each side of the slice, which a disc depends on.
QPainterPath outlineOf(const engine::Shape& shape, int size);
// The ends of a line, a place on the rim of what is round, corners. The first is where a profile begins.
std::vector<QPointF> handlesOf(const engine::Shape& shape, int size);
bool isOnSlice(const engine::Shape& shape, int size); // its middle is

// The shape after a handle of it, or all of it (-1), was dragged to `position` from `from`. Ends and corners go in
// steps of half a pixel, rectangles of a whole one, and stay on the slice. Constrained: the end of a line keeps to
// horizontal, vertical or 45° as seen from the other; what moves as a whole moves along one axis; a rectangle stays a
// square.
engine::Shape dragged(const engine::Shape& shape, int handle, const QPointF& from, const QPointF& position, int size,
                      bool constrained);
// What a tool makes of a drag; nothing while it has no extent, and of a polygon. Constrained: lines as above, else
// squares and circles.
std::optional<engine::Shape> drawn(Tool tool, const QPointF& from, const QPointF& position, int size, bool constrained);
// The pixels whose centres lie between two corners, clipped to the slice; nothing when there are none.
std::optional<engine::Region> regionBetween(const QPointF& corner, const QPointF& opposite, int size);
// A polygon through these points; nothing with fewer than three.
std::optional<engine::Shape> polygonOf(const std::vector<QPointF>& points);

engine::Line defaultLine(int size); // top to bottom through the middle

} // namespace ui
