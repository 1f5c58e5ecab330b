// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/image/shapes.h"

#include <QLineF>
#include <QRectF>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace ui
{

namespace
{

constexpr double smallestRadius = 0.5; // pixels

double toHalfPixels(double value)
{
    return std::round(2 * value) / 2;
}

// Returns how far a point may move from `origin` along `direction` within the slice.
double reach(double origin, double direction, double last)
{
    if (direction == 0)
        return std::numeric_limits<double>::infinity();
    return ((direction > 0 ? last : 0) - origin) / direction;
}

QPointF constrainedEnd(const QPointF& fixed, const QPointF& position, int size)
{
    const double last = size - 1;
    const QPointF offset = position - fixed;
    const double angle =
        std::round(std::atan2(offset.y(), offset.x()) / (std::numbers::pi / 4)) * (std::numbers::pi / 4);
    const QPointF direction(std::round(std::cos(angle) * 2) / 2, std::round(std::sin(angle) * 2) / 2);
    const QPointF step(direction.x() == 0 ? 0 : std::copysign(1, direction.x()),
                       direction.y() == 0 ? 0 : std::copysign(1, direction.y()));
    const double length = QPointF::dotProduct(offset, step) / QPointF::dotProduct(step, step);
    const double longest = std::min(reach(fixed.x(), step.x(), last), reach(fixed.y(), step.y(), last));
    return fixed + step * std::clamp(toHalfPixels(length), 0.0, std::max(0.0, longest));
}

// Returns the corner opposite `fixed` that makes the rectangle a square.
QPointF squareCorner(const QPointF& fixed, const QPointF& position)
{
    const QPointF offset = position - fixed;
    const double side = std::max(std::abs(offset.x()), std::abs(offset.y()));
    return fixed + QPointF(std::copysign(side, offset.x()), std::copysign(side, offset.y()));
}

QRectF edgesOf(const engine::Region& region)
{
    return QRectF(region.column - 0.5, region.row - 0.5, region.width, region.height);
}

QRectF edgesOf(const engine::EllipseArea& area)
{
    return QRectF(area.x - area.radiusX, area.y - area.radiusY, 2 * area.radiusX, 2 * area.radiusY);
}

engine::EllipseArea ellipseOf(const engine::DiscArea& disc, int size)
{
    const double middle = (size - 1) / 2.0, radius = disc.radius * size / 2;
    return {middle, middle, radius, radius};
}

engine::Shape ellipseIn(const QRectF& box)
{
    return engine::Area(engine::EllipseArea{box.center().x(), box.center().y(),
                                            std::max(box.width() / 2, smallestRadius),
                                            std::max(box.height() / 2, smallestRadius)});
}

struct Outline {
    int size;

    QPainterPath operator()(const engine::Line& line) const
    {
        QPainterPath path({line.x0, line.y0});
        path.lineTo(line.x1, line.y1);
        return path;
    }
    QPainterPath operator()(const engine::Circle& circle) const
    {
        QPainterPath path;
        path.addEllipse(QPointF(circle.x, circle.y), circle.radius, circle.radius);
        return path;
    }
    QPainterPath operator()(const engine::Area& area) const { return std::visit(*this, area); }
    QPainterPath operator()(const engine::Region& region) const
    {
        QPainterPath path;
        path.addRect(edgesOf(region));
        return path;
    }
    QPainterPath operator()(const engine::EllipseArea& area) const
    {
        QPainterPath path;
        path.addEllipse(edgesOf(area));
        return path;
    }
    QPainterPath operator()(const engine::PolygonArea& area) const
    {
        QPainterPath path(toPoint(area.points.front()));
        for (const engine::Point& point : area.points)
            path.lineTo(toPoint(point));
        path.closeSubpath();
        return path;
    }
    QPainterPath operator()(const engine::DiscArea& disc) const { return (*this)(ellipseOf(disc, size)); }
};

struct Handles {
    int size;
    using Points = std::vector<QPointF>;

    Points operator()(const engine::Line& line) const { return {{line.x0, line.y0}, {line.x1, line.y1}}; }
    Points operator()(const engine::Circle& circle) const { return {{circle.x + circle.radius, circle.y}}; }
    Points operator()(const engine::Area& area) const { return std::visit(*this, area); }
    Points operator()(const engine::Region& region) const { return corners(edgesOf(region)); }
    Points operator()(const engine::EllipseArea& area) const
    {
        return {{area.x + area.radiusX, area.y},
                {area.x, area.y + area.radiusY},
                {area.x - area.radiusX, area.y},
                {area.x, area.y - area.radiusY}};
    }
    Points operator()(const engine::PolygonArea& area) const
    {
        Points points;
        for (const engine::Point& point : area.points)
            points.push_back(toPoint(point));
        return points;
    }
    Points operator()(const engine::DiscArea& disc) const
    {
        const engine::EllipseArea area = ellipseOf(disc, size);
        return {{area.x + area.radiusX, area.y}};
    }
    // Returns the corners clockwise: corner k + 2 (modulo 4) is opposite corner k.
    static Points corners(const QRectF& edges)
    {
        return {edges.topLeft(), edges.topRight(), edges.bottomRight(), edges.bottomLeft()};
    }
};

// The shape after one of its handles was moved.
struct Reshaped {
    int handle;
    QPointF position;
    int size;
    bool constrained;

    engine::Shape operator()(engine::Line line) const
    {
        const bool begins = handle == 0;
        const QPointF fixed = begins ? QPointF(line.x1, line.y1) : QPointF(line.x0, line.y0);
        const QPointF end = constrained ? constrainedEnd(fixed, position, size) : onSlice(position, size);
        (begins ? line.x0 : line.x1) = end.x();
        (begins ? line.y0 : line.y1) = end.y();
        return line;
    }
    engine::Shape operator()(engine::Circle circle) const
    {
        circle.radius = radiusFrom({circle.x, circle.y});
        return circle;
    }
    engine::Shape operator()(const engine::Area& area) const { return std::visit(*this, area); }
    engine::Shape operator()(const engine::Region& region) const
    {
        const std::vector<QPointF> corners = Handles::corners(edgesOf(region));
        const QPointF fixed = corners[static_cast<std::size_t>(handle + 2) % 4];
        const QPointF corner = constrained ? squareCorner(fixed, position) : position;
        const auto next = regionBetween(fixed, corner, size);
        return engine::Area(next.value_or(region));
    }
    engine::Shape operator()(engine::EllipseArea area) const
    {
        double& radius = handle % 2 == 0 ? area.radiusX : area.radiusY;
        radius = std::max(smallestRadius, toHalfPixels(handle % 2 == 0 ? std::abs(position.x() - area.x)
                                                                       : std::abs(position.y() - area.y)));
        if (constrained)
            area.radiusX = area.radiusY = radius;
        return engine::Area(area);
    }
    engine::Shape operator()(engine::PolygonArea area) const
    {
        const QPointF place = onSlice(position, size);
        area.points[static_cast<std::size_t>(handle)] = {place.x(), place.y()};
        return engine::Area(area);
    }
    engine::Shape operator()(engine::DiscArea disc) const
    {
        const double middle = (size - 1) / 2.0, radius = QLineF({middle, middle}, position).length();
        disc.radius = std::clamp(std::round(100 * radius / (size / 2.0)) / 100, 0.01, 1.0);
        return engine::Area(disc);
    }
    double radiusFrom(const QPointF& centre) const
    {
        return std::clamp(toHalfPixels(QLineF(centre, position).length()), smallestRadius, 1e5);
    }
};

struct Moved {
    double x, y;

    engine::Shape operator()(const engine::Line& line) const
    {
        return engine::Line{line.x0 + x, line.y0 + y, line.x1 + x, line.y1 + y};
    }
    engine::Shape operator()(const engine::Circle& circle) const
    {
        return engine::Circle{circle.x + x, circle.y + y, circle.radius};
    }
    engine::Shape operator()(const engine::Area& area) const { return std::visit(*this, area); }
    engine::Shape operator()(engine::Region region) const
    {
        region.column += static_cast<int>(std::lround(x));
        region.row += static_cast<int>(std::lround(y));
        return engine::Area(region);
    }
    engine::Shape operator()(engine::EllipseArea area) const
    {
        area.x += x;
        area.y += y;
        return engine::Area(area);
    }
    engine::Shape operator()(engine::PolygonArea area) const
    {
        for (engine::Point& point : area.points)
            point = {point.x + x, point.y + y};
        return engine::Area(area);
    }
    engine::Shape operator()(const engine::DiscArea& disc) const { return engine::Area(disc); } // always in the middle
};

bool isWholePixels(const engine::Shape& shape)
{
    const auto* area = std::get_if<engine::Area>(&shape);
    return area && std::holds_alternative<engine::Region>(*area);
}

engine::Shape movedBy(const engine::Shape& shape, QPointF offset, int size, bool constrained)
{
    if (constrained)
        (std::abs(offset.x()) > std::abs(offset.y()) ? offset.ry() : offset.rx()) = 0;
    QRectF box = outlineOf(shape, size).boundingRect();
    const bool whole = isWholePixels(shape);
    if (whole) // the box then reaches from centre to centre of the outermost pixels
        box.adjust(0.5, 0.5, -0.5, -0.5);
    const auto bounded = [&](double move, double least, double most) {
        const double wanted = whole ? std::round(move) : toHalfPixels(move);
        // A shape larger than the slice is placed at its left or top edge.
        return std::max(-least, std::min(wanted, size - 1 - most));
    };
    return std::visit(Moved{bounded(offset.x(), box.left(), box.right()), bounded(offset.y(), box.top(), box.bottom())},
                      shape);
}

} // namespace

QPointF onSlice(const QPointF& position, int size)
{
    const double last = size - 1;
    return {std::clamp(toHalfPixels(position.x()), 0.0, last), std::clamp(toHalfPixels(position.y()), 0.0, last)};
}

QPointF toPoint(const engine::Point& point)
{
    return {point.x, point.y};
}

QPainterPath outlineOf(const engine::Shape& shape, int size)
{
    return std::visit(Outline{size}, shape);
}

std::vector<QPointF> handlesOf(const engine::Shape& shape, int size)
{
    return std::visit(Handles{size}, shape);
}

bool isOnSlice(const engine::Shape& shape, int size)
{
    const QPointF middle = outlineOf(shape, size).boundingRect().center();
    return QRectF(-0.5, -0.5, size, size).contains(middle);
}

engine::Shape dragged(const engine::Shape& shape, int handle, const QPointF& from, const QPointF& position, int size,
                      bool constrained)
{
    if (handle < 0)
        return movedBy(shape, position - from, size, constrained);
    return std::visit(Reshaped{handle, position, size, constrained}, shape);
}

std::optional<engine::Shape> drawn(Tool tool, const QPointF& from, const QPointF& position, int size, bool constrained)
{
    const QPointF begin = onSlice(from, size);
    const QPointF corner = constrained ? squareCorner(from, position) : position;
    switch (tool) {
    case Tool::line: {
        const engine::Shape line =
            dragged(engine::Line{begin.x(), begin.y(), begin.x(), begin.y()}, 1, {}, position, size, constrained);
        return engine::lengthOf(line) > 0 ? std::optional(line) : std::nullopt;
    }
    case Tool::ring:
        return dragged(engine::Circle{begin.x(), begin.y(), 1}, 0, {}, position, size, false);
    case Tool::circle: {
        const double radius = std::max(QLineF(begin, position).length(), 0.5);
        return engine::Area(engine::EllipseArea{begin.x(), begin.y(), radius, radius});
    }
    case Tool::rectangle:
        if (const auto region = regionBetween(from, corner, size))
            return engine::Shape(engine::Area(*region));
        return std::nullopt;
    case Tool::ellipse:
        return ellipseIn(
            QRectF(begin, constrained ? squareCorner(begin, onSlice(position, size)) : onSlice(position, size))
                .normalized());
    case Tool::none:
    case Tool::polygon:
    case Tool::axis:
        break;
    }
    return std::nullopt;
}

std::optional<engine::Region> regionBetween(const QPointF& corner, const QPointF& opposite, int size)
{
    const auto span = [size](double a, double b) {
        const int first = std::max(0, static_cast<int>(std::ceil(std::min(a, b))));
        const int last = std::min(size - 1, static_cast<int>(std::floor(std::max(a, b))));
        return std::pair(first, last - first + 1);
    };
    const auto [column, width] = span(corner.x(), opposite.x());
    const auto [row, height] = span(corner.y(), opposite.y());
    if (width <= 0 || height <= 0)
        return std::nullopt;
    return engine::Region{column, row, width, height};
}

std::optional<engine::Shape> polygonOf(const std::vector<QPointF>& points)
{
    if (points.size() < 3)
        return std::nullopt;
    engine::PolygonArea area;
    for (const QPointF& point : points)
        area.points.push_back({point.x(), point.y()});
    return engine::Shape(engine::Area(area));
}

engine::Line defaultLine(int size)
{
    const double middle = (size - 1) / 2.0;
    return {middle, 0, middle, size - 1.0};
}

} // namespace ui
