#include "ui/image/overlay.h"

#include <QLineF>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace ui
{

namespace
{

constexpr double handleReach = 10, lineReach = 6; // device-independent pixels around a handle and beside the line
constexpr double handleRadius = 4.5;
const QColor halo(0, 0, 0, 170);
const QColor lineColour(255, 186, 38);
const QColor regionColour(92, 214, 255);

double toHalfPixels(double value)
{
    return std::round(2 * value) / 2;
}

// How far one may go from `origin` along `direction` and stay on the slice.
double reach(double origin, double direction, double last)
{
    if (direction == 0)
        return std::numeric_limits<double>::infinity();
    return ((direction > 0 ? last : 0) - origin) / direction;
}

QPointF constrainedEnd(const QPointF& fixed, const QPointF& position, double last)
{
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

} // namespace

LinePart partAt(const QPointF& point, const QPointF& begin, const QPointF& end)
{
    const double toBegin = QLineF(point, begin).length(), toEnd = QLineF(point, end).length();
    if (std::min(toBegin, toEnd) <= handleReach)
        return toBegin < toEnd ? LinePart::begin : LinePart::end;
    const QPointF along = end - begin;
    const double squared = QPointF::dotProduct(along, along);
    if (squared == 0)
        return LinePart::none;
    const double t = QPointF::dotProduct(point - begin, along) / squared;
    if (t < 0 || t > 1 || QLineF(point, begin + t * along).length() > lineReach)
        return LinePart::none;
    return LinePart::middle;
}

engine::Line dragged(const engine::Line& line, LinePart part, const QPointF& from, const QPointF& position, int size,
                     bool constrained)
{
    const double last = size - 1;
    engine::Line result = line;
    if (part == LinePart::begin || part == LinePart::end) {
        const QPointF fixed = part == LinePart::begin ? QPointF(line.x1, line.y1) : QPointF(line.x0, line.y0);
        const QPointF end = constrained ? constrainedEnd(fixed, position, last)
                                        : QPointF(std::clamp(toHalfPixels(position.x()), 0.0, last),
                                                  std::clamp(toHalfPixels(position.y()), 0.0, last));
        (part == LinePart::begin ? result.x0 : result.x1) = end.x();
        (part == LinePart::begin ? result.y0 : result.y1) = end.y();
    } else if (part == LinePart::middle) {
        QPointF offset = position - from;
        if (constrained)
            (std::abs(offset.x()) > std::abs(offset.y()) ? offset.ry() : offset.rx()) = 0;
        const auto bounded = [last](double move, double a, double b) {
            return std::max(-std::min(a, b), std::min(toHalfPixels(move), last - std::max(a, b)));
        };
        const double x = bounded(offset.x(), line.x0, line.x1), y = bounded(offset.y(), line.y0, line.y1);
        result = {line.x0 + x, line.y0 + y, line.x1 + x, line.y1 + y};
    }
    return result;
}

engine::Line defaultLine(int size)
{
    const double middle = (size - 1) / 2.0;
    return {middle, 0, middle, size - 1.0};
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

QRectF outline(const engine::Region& region)
{
    return QRectF(region.column - 0.5, region.row - 0.5, region.width, region.height);
}

void drawLine(QPainter& painter, const QPointF& begin, const QPointF& end, LinePart emphasised)
{
    painter.setPen(QPen(halo, emphasised == LinePart::middle ? 4.5 : 3.5, Qt::SolidLine, Qt::RoundCap));
    painter.drawLine(begin, end);
    painter.setPen(QPen(lineColour, emphasised == LinePart::middle ? 2.2 : 1.4, Qt::SolidLine, Qt::RoundCap));
    painter.drawLine(begin, end);
    const auto handle = [&](const QPointF& position, bool filled, bool large) {
        const double radius = handleRadius + (large ? 1.5 : 0);
        painter.setPen(QPen(halo, 3.5));
        painter.setBrush(filled ? lineColour : QColor(30, 30, 30, 120));
        painter.drawEllipse(position, radius, radius);
        painter.setPen(QPen(lineColour, 1.8));
        painter.drawEllipse(position, radius, radius);
    };
    handle(begin, true, emphasised == LinePart::begin); // filled: where the profile begins
    handle(end, false, emphasised == LinePart::end);
}

void drawRegion(QPainter& painter, const QRectF& rectangle)
{
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(halo, 3));
    painter.drawRect(rectangle);
    painter.setPen(QPen(regionColour, 1.4, Qt::DashLine));
    painter.drawRect(rectangle);
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
