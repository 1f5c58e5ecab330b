// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/image/overlay.h"

#include "ui/image/shapes.h"
#include "ui/widgets/saved_painter.h"

#include <QLineF>
#include <QPainter>
#include <QPainterPathStroker>

#include <algorithm>
#include <cmath>

namespace ui
{

namespace
{

constexpr double handleReach = 10, outlineReach = 6; // device-independent pixels around a handle and beside an outline
constexpr double handleRadius = 4.5;
constexpr double leastReach = 4; // smallest reach, for the handles of a small area
const QColor halo(0, 0, 0, 170);
const QColor lineColour(255, 186, 38);
const QColor areaColour(92, 214, 255);
const QColor placeColour(132, 232, 118), selectionColour(255, 255, 255);

// Returns the visible marks, the chosen ones last, which puts them on top.
std::vector<const engine::Mark*> inOrder(const engine::Marks& marks)
{
    std::vector<const engine::Mark*> shown;
    for (const engine::Mark& one : marks.marks)
        if (one.visible)
            shown.push_back(&one);
    std::ranges::stable_partition(
        shown, [&](const engine::Mark* one) { return one->id != marks.lineId && one->id != marks.areaId; });
    return shown;
}

bool isChosen(const engine::Marks& marks, const engine::Mark& one)
{
    return one.id == marks.lineId || one.id == marks.areaId;
}

bool isNear(const QPainterPath& outline, const QPointF& point)
{
    QPainterPathStroker stroker;
    stroker.setWidth(2 * outlineReach);
    return stroker.createStroke(outline).contains(point);
}

void drawHandle(QPainter& painter, const QPointF& position, const QColor& colour, bool filled, bool large)
{
    const double radius = handleRadius + (large ? 1.5 : 0);
    painter.setPen(QPen(halo, 3.5));
    painter.setBrush(filled ? colour : QColor(30, 30, 30, 120));
    painter.drawEllipse(position, radius, radius);
    painter.setPen(QPen(colour, 1.8));
    painter.drawEllipse(position, radius, radius);
    painter.setBrush(Qt::NoBrush);
}

// Strokes twice: a wide dark line, then a coloured one on top.
void strokeOutline(QPainter& painter, const QPainterPath& path, const QColor& colour, double width, Qt::PenStyle style)
{
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(halo, width + 2.1, Qt::SolidLine, Qt::RoundCap));
    painter.drawPath(path);
    painter.setPen(QPen(colour, width, style, Qt::RoundCap));
    painter.drawPath(path);
}

// Draws the edges of the band of pixels that a wide line averages.
void drawBand(QPainter& painter, const engine::Mark& mark, const QTransform& toScreen)
{
    if (mark.width < 2)
        return;
    const double away = mark.width / 2.0;
    QPainterPath edges;
    if (const auto* line = std::get_if<engine::Line>(&mark.shape)) {
        const double length = std::max(engine::lengthOf(mark.shape), 1e-9);
        const QPointF across(away * (line->y0 - line->y1) / length, away * (line->x1 - line->x0) / length);
        for (const QPointF& side : {across, -across}) {
            edges.moveTo(QPointF(line->x0, line->y0) + side);
            edges.lineTo(QPointF(line->x1, line->y1) + side);
        }
    } else if (const auto* circle = std::get_if<engine::Circle>(&mark.shape)) {
        for (const double radius : {circle->radius - away, circle->radius + away})
            if (radius > 0)
                edges.addEllipse(QPointF(circle->x, circle->y), radius, radius);
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(halo, 2));
    painter.drawPath(toScreen.map(edges));
    painter.setPen(QPen(lineColour, 0.8, Qt::DotLine));
    painter.drawPath(toScreen.map(edges));
}

void drawName(QPainter& painter, const QPointF& at, const QString& name, const QColor& colour)
{
    // Keeps the name inside the view, as far as it fits.
    const QFontMetricsF metrics(painter.font());
    const QRectF room = QRectF(painter.viewport()).adjusted(3, 3 + metrics.ascent(), -3, -3);
    const QPointF wanted = at + QPointF(7, -6);
    const QPointF place(std::max(room.left(), std::min(wanted.x(), room.right() - metrics.horizontalAdvance(name))),
                        std::max(room.top(), wanted.y()));
    QPainterPath text;
    text.addText(place, painter.font(), name);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(halo, 3, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawPath(text);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawPath(text);
    painter.setBrush(Qt::NoBrush);
}

} // namespace

Grip gripAt(const QPointF& point, const Overlay& overlay, const QTransform& toScreen, int size)
{
    if (!overlay.visible)
        return {};
    std::vector<const engine::Mark*> marks = inOrder(overlay.marks);
    std::ranges::reverse(marks);
    Grip best;
    double nearest = handleReach;
    for (const engine::Mark* one : marks) {
        if (!isChosen(overlay.marks, *one))
            continue; // it has no handles
        const std::vector<QPointF> handles = handlesOf(one->shape, size);
        const QRectF box = toScreen.map(outlineOf(one->shape, size)).boundingRect();
        const bool isSmall = engine::isArea(one->shape) && std::min(box.width(), box.height()) < 4 * handleReach;
        const double room = isSmall ? std::min(box.width(), box.height()) / 4 : handleReach;
        for (std::size_t k = 0; k < handles.size(); ++k)
            if (const double away = QLineF(point, toScreen.map(handles[k])).length();
                away <= nearest && away <= std::max(room, leastReach)) {
                nearest = away;
                best = {one->id, static_cast<int>(k)};
            }
        if (isSmall && best.id == 0 && box.contains(point)) // inside a small area there is no room for other marks
            return {one->id, -1};
    }
    if (best.id != 0)
        return best;
    for (const engine::Mark* one : marks)
        if (isNear(toScreen.map(outlineOf(one->shape, size)), point))
            return {one->id, -1};
    return {};
}

void drawMarks(QPainter& painter, const Overlay& overlay, const QTransform& toScreen, int size, const Grip& emphasised)
{
    if (!overlay.visible)
        return;
    const std::vector<const engine::Mark*> marks = inOrder(overlay.marks);
    for (const engine::Mark* one : marks) {
        const bool area = engine::isArea(one->shape), chosen = isChosen(overlay.marks, *one);
        const QColor colour = area ? areaColour : lineColour;
        drawBand(painter, *one, toScreen);
        const double width = (emphasised.id == one->id && emphasised.handle < 0 ? 2.2 : 1.4) * (chosen ? 1 : 0.75);
        strokeOutline(painter, toScreen.map(outlineOf(one->shape, size)), colour, width,
                      area ? Qt::DashLine : Qt::SolidLine);
        const std::vector<QPointF> handles = handlesOf(one->shape, size);
        for (std::size_t k = 0; chosen && k < handles.size(); ++k) // a filled handle: the profile begins there
            drawHandle(painter, toScreen.map(handles[k]), colour, !area && k == 0,
                       emphasised == Grip{one->id, static_cast<int>(k)});
        if (marks.size() > 1 && !handles.empty())
            drawName(painter, toScreen.map(handles.front()), QString::fromStdString(one->name), colour);
    }
}

void drawDraft(QPainter& painter, const QPolygonF& points)
{
    QPainterPath path;
    path.addPolygon(points);
    strokeOutline(painter, path, areaColour, 1.4, Qt::DashLine);
    for (const QPointF& point : points)
        drawHandle(painter, point, areaColour, false, false);
}

void drawGuides(QPainter& painter, const std::vector<Guide>& guides, const QTransform& toScreen)
{
    const SavedPainter saved(painter);
    painter.setBrush(Qt::NoBrush);
    for (const Guide& guide : guides) {
        const bool isSelection = guide.kind == Guide::Kind::selection;
        const QPen over = isSelection ? QPen(selectionColour, 1, Qt::DashLine) : QPen(placeColour, 1.4);
        for (QPen pen : {QPen(halo, over.widthF() + 1.8), over}) {
            pen.setCapStyle(Qt::RoundCap);
            painter.setPen(pen);
            for (const QPolygonF& part : guide.parts)
                if (part.size() == 1)
                    painter.drawPoint(toScreen.map(part.front()));
                else
                    painter.drawPolyline(toScreen.map(part));
        }
    }
}

void drawMarker(QPainter& painter, const QPointF& position)
{
    constexpr double gap = 4, arm = 11; // open in the middle, so that the pixel itself stays visible
    for (const auto& pen : {QPen(halo, 3.2), QPen(Qt::white, 1.3)}) {
        painter.setPen(pen);
        for (const QPointF& way : {QPointF(1, 0), QPointF(-1, 0), QPointF(0, 1), QPointF(0, -1)})
            painter.drawLine(position + gap * way, position + arm * way);
    }
}

} // namespace ui
