// What lies over all images: lines and areas, the pointer's marker, the place that the profile's cursor is at.
#pragma once

#include "engine/compare/marks.h"

#include <QPointF>
#include <QTransform>

#include <optional>

class QPainter;

namespace ui
{

// In pixels of the whole slice.
struct Overlay {
    engine::Marks marks;
    bool visible = true; // lines and areas are
    std::optional<QPointF> marker = {};
};

// A mark under the mouse, or a part of it.
struct Grip {
    int id = 0;      // 0: none
    int handle = -1; // of the chosen ones; -1: the whole
    bool isHandle() const { return id != 0 && handle >= 0; }
    bool operator==(const Grip&) const = default;
};

// What a point of the screen meets; handles win over outlines, the chosen ones over others. size: of the slice.
Grip gripAt(const QPointF& point, const Overlay& overlay, const QTransform& toScreen, int size);

// With pens that stand out on dark and on bright.
void drawMarks(QPainter& painter, const Overlay& overlay, const QTransform& toScreen, int size, const Grip& emphasised);
void drawDraft(QPainter& painter, const QPolygonF& points); // a polygon that isn't closed yet, on screen
void drawMarker(QPainter& painter, const QPointF& position);

} // namespace ui
