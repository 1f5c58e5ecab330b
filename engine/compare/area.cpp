// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/compare/area.h"

#include "engine/base/error.h"
#include "engine/base/number_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace engine
{

namespace
{

constexpr double farthest = 1e6; // pixels: far outside any image, and products are still exact enough

void requirePosition(double value, const char* what)
{
    require(std::abs(value) <= farthest,
            std::string(what) + ' ' + numberToText(value) + " is not a position in pixels; give one within ±1000000");
}

void requireRadius(double value, const char* what)
{
    require(value > 0 && value <= farthest, std::string(what) + ' ' + numberToText(value) +
                                                " is not a length in pixels; give one above 0 and up to 1000000");
}

struct Validated {
    void operator()(const Region& area) const
    {
        requirePosition(area.column, "rectangle: X");
        requirePosition(area.row, "rectangle: Y");
        require(area.width > 0 && area.height > 0 && area.width <= farthest && area.height <= farthest,
                "rectangle: " + std::to_string(area.width) + " × " + std::to_string(area.height) +
                    " is not a size in pixels; give a width and a height from 1 to 1000000");
    }
    void operator()(const EllipseArea& area) const
    {
        requirePosition(area.x, "ellipse: X");
        requirePosition(area.y, "ellipse: Y");
        requireRadius(area.radiusX, "ellipse: RX");
        requireRadius(area.radiusY, "ellipse: RY");
    }
    void operator()(const PolygonArea& area) const
    {
        require(area.points.size() >= 3 && area.points.size() <= PolygonArea::mostPoints,
                "a polygon of " + std::to_string(area.points.size()) + " points; give 3 to " +
                    std::to_string(PolygonArea::mostPoints));
        for (const Point& point : area.points) {
            requirePosition(point.x, "polygon: X");
            requirePosition(point.y, "polygon: Y");
        }
    }
    void operator()(const DiscArea& area) const
    {
        require(area.radius > 0 && area.radius <= 1,
                "disc radius " + numberToText(area.radius) +
                    " is not a fraction of the half width; give a number above 0 and up to 1");
    }
};

struct OnGrid {
    const SliceGrid& grid;

    double x(double whole) const { return (whole - grid.x0) / grid.step; }
    double y(double whole) const { return (whole - grid.y0) / grid.step; }

    Area operator()(const Region& area) const
    {
        // Pixel k of the grid is inside when begin ≤ x0 + k·step < end. So the first one is ⌈(begin − x0)/step⌉, and
        // the end follows likewise.
        const auto first = [](double place) { return static_cast<int>(std::ceil(place)); };
        const int column = first(x(area.column)), row = first(y(area.row));
        return Region{column, row, first(x(area.column + static_cast<double>(area.width))) - column,
                      first(y(area.row + static_cast<double>(area.height))) - row};
    }
    Area operator()(const EllipseArea& area) const
    {
        return EllipseArea{x(area.x), y(area.y), area.radiusX / grid.step, area.radiusY / grid.step};
    }
    Area operator()(PolygonArea area) const
    {
        for (Point& point : area.points)
            point = {x(point.x), y(point.y)};
        return area;
    }
    Area operator()(const DiscArea& area) const
    {
        const double middle = (grid.size - 1) / 2.0, radius = area.radius * grid.size / 2;
        return (*this)(EllipseArea{middle, middle, radius, radius});
    }
};

// Tests whether an area reaches a pixel centre outside the image, as if the grid of pixels continued there. An ellipse
// contains the centres on its rim; a polygon doesn't contain those on its right and lower sides.
struct Beyond {
    int width, height;

    bool operator()(const Region& area) const
    {
        return area.column < 0 || area.row < 0 || area.column > width - area.width || area.row > height - area.height;
    }
    bool operator()(const EllipseArea& area) const
    {
        return area.x - area.radiusX <= -1 || area.y - area.radiusY <= -1 || area.x + area.radiusX >= width ||
               area.y + area.radiusY >= height;
    }
    bool operator()(const PolygonArea& area) const
    {
        return std::ranges::any_of(area.points, [this](const Point& point) {
            return point.x <= -1 || point.y <= -1 || point.x > width || point.y > height;
        });
    }
    bool operator()(const DiscArea&) const { return false; }
};

Area rectangleFromText(const std::string& text)
{
    std::array<int, 4> numbers{};
    const auto whole = numbersFromText(text, numbers.size(), "rectangle", integerFromText);
    std::transform(whole.begin(), whole.end(), numbers.begin(), [](long long number) {
        requirePosition(static_cast<double>(number), "rectangle:"); // also fits into an int
        return static_cast<int>(number);
    });
    return Region{numbers[0], numbers[1], numbers[2], numbers[3]};
}

Area ellipseFromText(const std::string& text)
{
    const auto numbers = numbersFromText(text, 4, "ellipse", realFromText);
    return EllipseArea{numbers[0], numbers[1], numbers[2], numbers[3]};
}

Area polygonFromText(const std::string& text)
{
    PolygonArea area;
    for (std::size_t first = text.find_first_not_of(' '); first != std::string::npos;) {
        const std::size_t space = std::min(text.find(' ', first), text.size());
        area.points.push_back(pointFromText(text.substr(first, space - first), "point of the polygon"));
        first = text.find_first_not_of(' ', space);
    }
    return area;
}

// The text form of one kind of area. The table lists the kinds in the order of the alternatives of Area.
struct AreaForm {
    const char* name;
    const char* form;
    Area (*fromText)(const std::string& text);
};

constexpr AreaForm forms[] = {
    {"rectangle", "X,Y,W,H", rectangleFromText},
    {"ellipse", "X,Y,RX,RY", ellipseFromText},
    {"polygon", "X,Y X,Y X,Y", polygonFromText},
    {"disc", "R", [](const std::string& text) { return Area(DiscArea{realFromText(text, "disc radius")}); }}};
static_assert(std::size(forms) == std::variant_size_v<Area>);

std::string withCommas(std::span<const double> numbers)
{
    std::string text;
    for (const double number : numbers)
        text += (text.empty() ? "" : ",") + numberToText(number);
    return text;
}

struct Numbers {
    std::string operator()(const Region& area) const { return toText(area); }
    std::string operator()(const EllipseArea& area) const
    {
        return withCommas(std::vector{area.x, area.y, area.radiusX, area.radiusY});
    }
    std::string operator()(const PolygonArea& area) const
    {
        std::string text;
        for (const Point& point : area.points)
            text += (text.empty() ? "" : " ") + withCommas(std::vector{point.x, point.y});
        return text;
    }
    std::string operator()(const DiscArea& area) const { return numberToText(area.radius); }
};

} // namespace

Point pointFromText(const std::string& text, const std::string& what)
{
    const auto numbers = numbersFromText(text, 2, what, realFromText);
    return {numbers[0], numbers[1]};
}

void validate(const Area& area)
{
    std::visit(Validated{}, area);
}

bool reachesBeyond(const Area& area, int width, int height)
{
    return std::visit(Beyond{width, height}, area);
}

Area areaOn(const Area& area, const SliceGrid& grid)
{
    return std::visit(OnGrid{grid}, area);
}

std::string toText(const Area& area)
{
    return std::string(forms[area.index()].name) + ' ' + std::visit(Numbers{}, area);
}

Area areaFromText(const std::string& text)
{
    const std::size_t space = std::min(text.find(' '), text.size());
    const std::string name = text.substr(0, space);
    const auto* form =
        std::find_if(std::begin(forms), std::end(forms), [&](const AreaForm& row) { return name == row.name; });
    if (form == std::end(forms))
        throw Error(ErrorKind::badRequest, "bad area '" + text + "'; give one of: " + areaForms());
    try {
        const std::size_t numbers = text.find_first_not_of(' ', space);
        Area area = form->fromText(numbers == std::string::npos ? std::string() : text.substr(numbers));
        validate(area);
        return area;
    } catch (const Error& error) {
        throw Error(ErrorKind::badRequest, "bad area '" + text + "', which should be '" + name + ' ' + form->form +
                                               "' in pixels: " + error.text());
    }
}

std::string areaForms()
{
    std::string text;
    for (const AreaForm& form : forms)
        text += std::string(text.empty() ? "" : "; ") + form.name + ' ' + form.form;
    return text;
}

} // namespace engine
