// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/compare/marks.h"

#include "engine/base/error.h"
#include "engine/base/number_text.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace engine
{

namespace
{

constexpr double farthestEnd = 1e6, longestRadius = 1e5; // the limits of profiles

std::string pointText(double x, double y)
{
    return numberToText(x) + ',' + numberToText(y);
}

// Parses the points of "line X,Y X,Y".
Line lineFromText(const std::string& text)
{
    const std::size_t begin = text.find_first_not_of(' ');
    const std::size_t space = begin == std::string::npos ? begin : text.find(' ', begin);
    require(space != std::string::npos, "a line has two points");
    const Point first = pointFromText(text.substr(begin, space - begin), "first point of the line");
    const Point second = pointFromText(text.substr(std::min(text.find_first_not_of(' ', space), text.size())),
                                       "second point of the line");
    return {first.x, first.y, second.x, second.y};
}

Circle circleFromText(const std::string& text)
{
    const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
    const auto numbers = numbersFromText(text.substr(begin), 3, "ring", realFromText);
    return {numbers[0], numbers[1], numbers[2]};
}

struct ValidShape {
    void operator()(const Line& line) const
    {
        for (const double number : {line.x0, line.y0, line.x1, line.y1})
            requireEnd(number, "line");
    }
    void operator()(const Circle& circle) const
    {
        requireEnd(circle.x, "ring: X");
        requireEnd(circle.y, "ring: Y");
        require(circle.radius > 0 && circle.radius <= longestRadius,
                "ring: a radius of " + numberToText(circle.radius) + " pixels; give one above 0 and up to 100000");
    }
    void operator()(const Area& area) const { validate(area); }

    static void requireEnd(double number, const char* what)
    {
        require(std::abs(number) < farthestEnd / 2, std::string(what) + ": " + numberToText(number) +
                                                        " is not a position in pixels; give one within ±500000");
    }
};

// Returns "line 1", with the first free number.
std::string freeMarkName(const std::vector<Mark>& marks, const std::string& word)
{
    for (int k = 1;; ++k) {
        std::string name = word + ' ' + std::to_string(k);
        if (std::ranges::none_of(marks, [&](const Mark& one) { return one.name == name; }))
            return name;
    }
}

std::vector<const Mark*> ofKind(const std::vector<Mark>& marks, bool areas)
{
    std::vector<const Mark*> found;
    for (const Mark& one : marks)
        if (isArea(one.shape) == areas)
            found.push_back(&one);
    return found;
}

} // namespace

bool isArea(const Shape& shape)
{
    return std::holds_alternative<Area>(shape);
}

void validate(const Shape& shape)
{
    std::visit(ValidShape{}, shape);
}

std::string shapeName(const Shape& shape)
{
    if (const auto* area = std::get_if<Area>(&shape))
        if (const auto* ellipse = std::get_if<EllipseArea>(area); ellipse && ellipse->radiusX == ellipse->radiusY)
            return "circle";
    const std::string text = toText(shape);
    return text.substr(0, text.find(' '));
}

std::string toText(const Shape& shape)
{
    if (const auto* line = std::get_if<Line>(&shape))
        return "line " + pointText(line->x0, line->y0) + ' ' + pointText(line->x1, line->y1);
    if (const auto* circle = std::get_if<Circle>(&shape))
        return "ring " + pointText(circle->x, circle->y) + ',' + numberToText(circle->radius);
    return toText(std::get<Area>(shape));
}

Shape shapeFromText(const std::string& text)
{
    const std::size_t space = std::min(text.find(' '), text.size());
    const std::string word = text.substr(0, space);
    const bool isRing = word == "ring" || word == "circle"; // "circle": the name before 2026-11
    try {
        Shape shape = word == "line" ? Shape(lineFromText(text.substr(space)))
                      : isRing       ? Shape(circleFromText(text.substr(space)))
                                     : Shape(areaFromText(text));
        validate(shape);
        return shape;
    } catch (const Error& error) {
        throw Error(ErrorKind::badRequest,
                    error.text() + " (line X,Y X,Y; ring X,Y,R; " + areaForms() + "; '" + text + "' was given)");
    }
}

Marks Marks::standard()
{
    Marks made;
    made.add(Area(DiscArea{discRadius}), "disc").visible = false; // hidden, as it would cover every image
    return made;
}

const Mark* Marks::find(int id) const
{
    const auto found = std::ranges::find(marks, id, &Mark::id);
    return found == marks.end() ? nullptr : &*found;
}

Mark* Marks::find(int id)
{
    return const_cast<Mark*>(std::as_const(*this).find(id));
}

const Mark* Marks::line() const
{
    const Mark* chosen = find(lineId);
    return chosen && !isArea(chosen->shape) ? chosen : nullptr;
}

const Mark* Marks::area() const
{
    const Mark* chosen = find(areaId);
    return chosen && isArea(chosen->shape) ? chosen : nullptr;
}

std::vector<const Mark*> Marks::lines() const
{
    return ofKind(marks, false);
}

std::vector<const Mark*> Marks::areas() const
{
    return ofKind(marks, true);
}

Mark& Marks::add(const Shape& shape, const std::string& name)
{
    int id = 1;
    for (const Mark& one : marks)
        id = std::max(id, one.id + 1);
    marks.push_back({id, name.empty() ? freeMarkName(marks, shapeName(shape)) : name, shape});
    choose(id);
    return marks.back();
}

void Marks::choose(int id)
{
    if (const Mark* chosen = find(id))
        (isArea(chosen->shape) ? areaId : lineId) = id;
}

bool Marks::canRemove(int id) const
{
    const Mark* one = find(id);
    return one && (!isArea(one->shape) || areas().size() > 1);
}

void Marks::remove(int id)
{
    if (!canRemove(id))
        return;
    const auto after = marks.erase(std::ranges::find(marks, id, &Mark::id));
    const bool isLast = after == marks.end();
    int& chosen = lineId == id ? lineId : areaId;
    if (chosen != id)
        return;
    const std::vector<const Mark*> others = ofKind(marks, &chosen == &areaId);
    const int next = isLast ? 0 : after->id;
    chosen = others.empty() ? 0 : others.back()->id;
    if (std::ranges::any_of(others, [next](const Mark* one) { return one->id == next; }))
        chosen = next;
}

Mask Marks::mask() const
{
    return area() ? maskOf(std::get<Area>(area()->shape)) : Mask{};
}

Mask maskOf(const Area& area)
{
    if (const auto* disc = std::get_if<DiscArea>(&area))
        return {disc->radius, {}, {}};
    if (const auto* region = std::get_if<Region>(&area))
        return {{}, *region, {}};
    return {{}, {}, area};
}

Profile profileOf(std::span<const float> image, const SliceGrid& grid, const Shape& shape, int width)
{
    require(!isArea(shape), "an area has no profile; give a line or a circle");
    const auto x = [&](double whole) { return (whole - grid.x0) / grid.step; };
    const auto y = [&](double whole) { return (whole - grid.y0) / grid.step; };
    const int lines = std::max(1, static_cast<int>(std::lround(width / grid.step)));
    Profile profile;
    if (const auto* line = std::get_if<Line>(&shape)) {
        profile =
            profileAlong(image, grid.width, grid.height, {x(line->x0), y(line->y0), x(line->x1), y(line->y1)}, lines);
    } else {
        const Circle& circle = std::get<Circle>(shape);
        profile =
            profileAround(image, grid.width, grid.height, {x(circle.x), y(circle.y), circle.radius / grid.step}, lines);
    }
    for (double& position : profile.position)
        position *= grid.step;
    return profile;
}

Point pointAlong(const Shape& shape, double position)
{
    if (const auto* line = std::get_if<Line>(&shape)) {
        const double length = lengthOf(shape), part = length > 0 ? position / length : 0;
        return {std::lerp(line->x0, line->x1, part), std::lerp(line->y0, line->y1, part)};
    }
    require(!isArea(shape), "an area has no positions along it; give a line or a circle");
    const Circle& circle = std::get<Circle>(shape);
    const double angleRad = position / circle.radius;
    return {circle.x + circle.radius * std::cos(angleRad), circle.y + circle.radius * std::sin(angleRad)};
}

double positionAlong(const Shape& shape, const Point& point)
{
    if (const auto* line = std::get_if<Line>(&shape)) {
        const double length = lengthOf(shape);
        if (!(length > 0))
            return 0;
        const double along =
            ((point.x - line->x0) * (line->x1 - line->x0) + (point.y - line->y0) * (line->y1 - line->y0));
        return std::clamp(along / length, 0.0, length);
    }
    require(!isArea(shape), "an area has no positions along it; give a line or a circle");
    const Circle& circle = std::get<Circle>(shape);
    const double angleRad = std::atan2(point.y - circle.y, point.x - circle.x);
    return circle.radius * (angleRad < 0 ? angleRad + 2 * std::numbers::pi : angleRad);
}

double lengthOf(const Shape& shape)
{
    if (const auto* line = std::get_if<Line>(&shape))
        return std::hypot(line->x1 - line->x0, line->y1 - line->y0);
    const auto* circle = std::get_if<Circle>(&shape);
    return circle ? 2 * std::numbers::pi * circle->radius : 0;
}

} // namespace engine
