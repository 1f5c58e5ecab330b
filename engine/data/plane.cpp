// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/plane.h"

#include "engine/base/error.h"
#include "engine/base/number_text.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <sstream>
#include <vector>

namespace engine
{

namespace
{

constexpr int mostPixels = 1 << 20;   // along a side of an image
constexpr double farthestVoxel = 1e9; // voxels

double dot(const VoxelPoint& a, const VoxelPoint& b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

double lengthOf(const VoxelPoint& a)
{
    return std::sqrt(dot(a, a));
}

VoxelPoint cross(const VoxelPoint& a, const VoxelPoint& b)
{
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

// Returns a + factor·b.
VoxelPoint sum(const VoxelPoint& a, double factor, const VoxelPoint& b)
{
    return {a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]};
}

std::string pointText(const VoxelPoint& a)
{
    return numberToText(a[0]) + "," + numberToText(a[1]) + "," + numberToText(a[2]);
}

std::vector<std::string> split(const std::string& text, char separator)
{
    std::vector<std::string> parts;
    std::istringstream in(text);
    for (std::string part; std::getline(in, part, separator);)
        parts.push_back(part);
    return parts;
}

VoxelPoint pointOf(const std::string& key, const std::string& text)
{
    const std::vector<double> numbers = numbersFromText(text, 3, "plane's " + key, realFromText);
    for (const double number : numbers)
        require(std::abs(number) <= farthestVoxel, "plane's " + key + " '" + text + "' is not between " +
                                                       numberToText(-farthestVoxel) + " and " +
                                                       numberToText(farthestVoxel));
    return {numbers[0], numbers[1], numbers[2]};
}

int pixelsOf(const std::string& key, const std::string& text)
{
    const long long number = integerFromText(text, "plane's " + key);
    require(number >= 1 && number <= mostPixels, "plane's " + key + " '" + text + "' is no number of pixels");
    return static_cast<int>(number);
}

// Makes unit vectors of u and v that are perpendicular. Vectors that are such up to rounding stay as they are, so that
// a text that is read back has the same bits.
void straighten(Plane& plane)
{
    constexpr double rounding = 1e-15;
    const auto hasUnitLength = [](double length) { return std::abs(length - 1) <= rounding; };
    const double ofU = lengthOf(plane.u);
    require(ofU > 0, "plane: u=" + pointText(plane.u) + " has no length");
    const VoxelPoint given = plane.v;
    if (!hasUnitLength(ofU))
        plane.u = sum({}, 1 / ofU, plane.u);
    if (const double along = dot(plane.u, plane.v); std::abs(along) > rounding * lengthOf(given))
        plane.v = sum(plane.v, -along, plane.u);
    const double ofV = lengthOf(plane.v);
    require(ofV > 1e-9 * lengthOf(given),
            "plane: u=" + pointText(plane.u) + " and v=" + pointText(given) + " are parallel");
    if (!hasUnitLength(ofV))
        plane.v = sum({}, 1 / ofV, plane.v);
}

// Sets what one part of a plane's text, such as "width=5", says. Returns its name.
std::string setPart(Plane& plane, const std::string& part)
{
    const std::size_t equals = part.find('=');
    require(equals != std::string::npos, "plane: '" + part + "' is not of the form NAME=VALUE");
    const std::string key = part.substr(0, equals), value = part.substr(equals + 1), what = "plane's " + key;
    if (key == "centre")
        plane.centre = pointOf(key, value);
    else if (key == "u")
        plane.u = pointOf(key, value);
    else if (key == "v")
        plane.v = pointOf(key, value);
    else if (key == "width")
        plane.width = pixelsOf(key, value);
    else if (key == "height")
        plane.height = pixelsOf(key, value);
    else if (key == "pixel")
        plane.pixel = realWithin(value, what, 1e-9, 1e9);
    else
        throw Error(ErrorKind::badRequest, "plane: unknown name '" + key +
                                               "'; the names are x, y or z alone first, or centre, u and v, then "
                                               "width, height and pixel");
    return key;
}

// Returns whether the middle of any pixel lies in the volume.
bool hasPixelIn(const Plane& plane, const VolumeSize& volume)
{
    constexpr double rounding = 1e-9;
    const double ends[3] = {volume.size - 0.5 + rounding, volume.size - 0.5 + rounding, volume.slices - 0.5 + rounding};
    for (int j = 0; j < plane.height; ++j) {
        const VoxelPoint from = plane.at(0, j);
        double first = 0, last = plane.width - 1; // columns of the row that may lie inside
        for (std::size_t k = 0; k < from.size(); ++k) {
            const double step = plane.pixel * plane.u[k];
            if (std::abs(step) * plane.width < rounding) {
                last = from[k] >= -0.5 - rounding && from[k] <= ends[k] ? last : -1;
                continue;
            }
            const auto [enters, leaves] = std::minmax({(-0.5 - rounding - from[k]) / step, (ends[k] - from[k]) / step});
            first = std::max(first, enters);
            last = std::min(last, leaves);
        }
        if (std::ceil(first) <= last)
            return true;
    }
    return false;
}

// Number of pixels that a side of the image needs to show all of the volume if it is in the middle.
double pixelsAlong(const VoxelPoint& side, double pixel, const VolumeSize& volume)
{
    const double voxels =
        std::abs(side[0]) * volume.size + std::abs(side[1]) * volume.size + std::abs(side[2]) * volume.slices;
    return std::ceil(voxels / pixel - 1e-9);
}

// Gives a side of the image that has no length the length of the volume, about the volume's middle.
void enlarge(int& side, const VoxelPoint& along, const VolumeSize& volume, Plane& plane)
{
    if (side > 0)
        return;
    const double pixels = pixelsAlong(along, plane.pixel, volume);
    require(pixels <= mostPixels, "the plane would have " + numberToText(pixels) +
                                      " pixels along one side; give a larger pixel, or width and height");
    side = static_cast<int>(pixels);
    const double last = volume.size - 1, middle[] = {last / 2, last / 2, (volume.slices - 1) / 2.0};
    const VoxelPoint toMiddle{middle[0] - plane.centre[0], middle[1] - plane.centre[1], middle[2] - plane.centre[2]};
    constexpr double rounding = 1e-9; // so that a text that is read back has the same bits
    if (const double away = dot(toMiddle, along); side > 0 && std::abs(away) > rounding)
        plane.centre = sum(plane.centre, away, along);
}

bool isWhole(double number)
{
    return number == std::floor(number);
}

std::string directionsText(const Plane& plane)
{
    return "centre=" + pointText(plane.at((plane.width - 1) / 2.0, (plane.height - 1) / 2.0)) +
           ";u=" + pointText(plane.u) + ";v=" + pointText(plane.v);
}

} // namespace

VoxelPoint Plane::at(double i, double j) const
{
    return sum(sum(centre, pixel * (i - (width - 1) / 2.0 + right), u), pixel * (j - (height - 1) / 2.0 + down), v);
}

Plane partOf(Plane plane, int column, int row, int width, int height)
{
    plane.right += column + (width - plane.width) / 2.0;
    plane.down += row + (height - plane.height) / 2.0;
    plane.width = width;
    plane.height = height;
    return plane;
}

Plane planeAcross(PlaneAxis axis, double position, const VolumeSize& volume)
{
    const double middle = (volume.size - 1) / 2.0, half = (volume.slices - 1) / 2.0;
    switch (axis) {
    case PlaneAxis::x:
        return {{position, middle, half}, {0, 1, 0}, {0, 0, 1}, volume.size, volume.slices, 1};
    case PlaneAxis::y:
        return {{middle, position, half}, {1, 0, 0}, {0, 0, 1}, volume.size, volume.slices, 1};
    case PlaneAxis::z:
        break;
    }
    return {{middle, middle, position}, {1, 0, 0}, {0, 1, 0}, volume.size, volume.size, 1};
}

Plane turned(Plane plane, const VoxelPoint& about, double degrees)
{
    // Quarter turns are exact.
    const double quarter = std::remainder(degrees, 360) / 90;
    double cosine = std::cos(degrees * std::numbers::pi / 180), sine = std::sin(degrees * std::numbers::pi / 180);
    if (isWhole(quarter)) {
        cosine = quarter == 0 ? 1 : std::abs(quarter) == 2 ? -1 : 0;
        sine = std::abs(quarter) == 1 ? quarter : 0;
    }
    const auto turn = [&](const VoxelPoint& a) { // Rodrigues
        return sum(sum(sum({}, cosine, a), sine, cross(about, a)), dot(about, a) * (1 - cosine), about);
    };
    plane.u = turn(plane.u);
    plane.v = turn(plane.v);
    return plane;
}

Plane planeFromText(const std::string& text, const VolumeSize& volume)
{
    std::vector<std::string> parts = split(text, ';');
    for (std::string& part : parts)
        part.erase(0, std::min(part.find_first_not_of(' '), part.size()));
    require(text.find('=') != std::string::npos,
            "'" + text + "' is no plane; give x=COLUMN, y=ROW, z=SLICE, or \"centre=C,R,S;u=C,R,S;v=C,R,S\"");
    Plane plane;
    std::vector<std::string> names;
    const std::string& first = parts.front();
    const bool isAcross = first.size() > 1 && first[1] == '=' && first[0] >= 'x' && first[0] <= 'z';
    if (isAcross) {
        const auto axis = first[0] == 'x' ? PlaneAxis::x : first[0] == 'y' ? PlaneAxis::y : PlaneAxis::z;
        plane = planeAcross(
            axis, realWithin(first.substr(2), "plane's " + first.substr(0, 1), -farthestVoxel, farthestVoxel), volume);
        if (parts.size() > 1)
            plane.width = plane.height = 0;
    }
    for (std::size_t k = isAcross ? 1 : 0; k < parts.size(); ++k) {
        const std::string name = setPart(plane, parts[k]);
        require(std::ranges::find(names, name) == names.end(), "plane: " + name + " is given twice");
        names.push_back(name);
    }
    const auto has = [&](const char* name) { return std::ranges::find(names, name) != names.end(); };
    const int directions = has("centre") + has("u") + has("v");
    require(isAcross ? directions == 0 : directions == 3, isAcross ? "plane: '" + first + "' takes no centre, u and v"
                                                                   : "plane: '" + text + "' needs centre, u and v");
    straighten(plane);
    enlarge(plane.width, plane.u, volume, plane);
    enlarge(plane.height, plane.v, volume, plane);
    return plane;
}

std::string toText(const Plane& plane)
{
    return directionsText(plane) + ";width=" + std::to_string(plane.width) + ";height=" + std::to_string(plane.height) +
           ";pixel=" + numberToText(plane.pixel);
}

std::string textForVolumes(const Plane& plane, const VolumeSize& volume)
{
    const std::string text = (axisOf(plane) ? shortText(plane) : directionsText(plane)) +
                             (plane.pixel == 1 ? std::string() : ";pixel=" + numberToText(plane.pixel));
    const bool showsAll = plane.width == pixelsAlong(plane.u, plane.pixel, volume) &&
                          plane.height == pixelsAlong(plane.v, plane.pixel, volume);
    return showsAll && planeFromText(text, volume) == plane ? text : toText(plane);
}

std::optional<PlaneAxis> axisOf(const Plane& plane)
{
    for (const PlaneAxis axis : {PlaneAxis::x, PlaneAxis::y, PlaneAxis::z})
        if (const Plane across = planeAcross(axis, 0, {}); plane.u == across.u && plane.v == across.v)
            return axis;
    return std::nullopt;
}

std::string shortText(const Plane& plane)
{
    if (const std::optional<PlaneAxis> axis = axisOf(plane)) {
        const auto k = static_cast<std::size_t>(*axis);
        return std::string(1, "xyz"[k]) + "=" + numberToText(plane.centre[k]);
    }
    const auto rounded = [](const VoxelPoint& point, double perUnit) {
        VoxelPoint less;
        for (std::size_t k = 0; k < point.size(); ++k)
            less[k] = std::round(point[k] * perUnit) / perUnit + 0.0; // no −0
        return pointText(less);
    };
    const VoxelPoint &u = plane.u, &v = plane.v;
    const VoxelPoint normal{u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
    return "centre=" + rounded(plane.centre, 10) + ",normal=" + rounded(normal, 1000);
}

void validate(const Plane& plane, const VolumeSize& volume)
{
    const auto finite = [](const VoxelPoint& a) {
        return std::isfinite(a[0]) && std::isfinite(a[1]) && std::isfinite(a[2]);
    };
    require(finite(plane.centre) && finite(plane.u) && finite(plane.v) && std::isfinite(plane.pixel),
            "the plane has numbers that aren't finite");
    require(plane.width >= 1 && plane.height >= 1 && plane.pixel > 0,
            "the plane of " + std::to_string(plane.width) + " × " + std::to_string(plane.height) + " pixels of " +
                numberToText(plane.pixel) + " voxels has no area");
    constexpr double tolerance = 1e-6;
    require(std::abs(lengthOf(plane.u) - 1) < tolerance && std::abs(lengthOf(plane.v) - 1) < tolerance &&
                std::abs(dot(plane.u, plane.v)) < tolerance,
            "the plane's directions u=" + pointText(plane.u) + " and v=" + pointText(plane.v) +
                " are not perpendicular unit vectors");
    // The box of voxels and the plane's rectangle: apart along one of the volume's axes.
    const double ends[3] = {volume.size - 0.5, volume.size - 0.5, volume.slices - 0.5};
    const VoxelPoint corners[] = {plane.at(0, 0), plane.at(plane.width - 1, 0), plane.at(0, plane.height - 1),
                                  plane.at(plane.width - 1, plane.height - 1)};
    static constexpr const char* names[] = {"column", "row", "slice"};
    for (int k = 0; k < 3; ++k) {
        const auto [least, most] = std::minmax({corners[0][k], corners[1][k], corners[2][k], corners[3][k]});
        require(
            most >= -0.5 && least <= ends[k],
            "the plane at " + std::string(names[k]) +
                (least == most ? " " + numberToText(least) : "s " + numberToText(least) + " to " + numberToText(most)) +
                " lies outside the volume, which has " + names[k] + "s 0 to " + numberToText(ends[k] - 0.5));
    }
    require(hasPixelIn(plane, volume), "no pixel of the plane " + shortText(plane) + " lies in the volume, which has " +
                                           std::to_string(volume.size) + " columns and rows and " +
                                           std::to_string(volume.slices) + " slices; move the plane");
}

PlaneSlices slicesOf(const Plane& plane, const VolumeSize& volume)
{
    double least = plane.at(0, 0)[2], most = least;
    for (const double slice : {plane.at(plane.width - 1, 0)[2], plane.at(0, plane.height - 1)[2],
                               plane.at(plane.width - 1, plane.height - 1)[2]}) {
        least = std::min(least, slice);
        most = std::max(most, slice);
    }
    const auto inside = [&](double slice) { return static_cast<int>(std::clamp(slice, 0.0, volume.slices - 1.0)); };
    const int first = inside(std::floor(least)), last = inside(std::ceil(most));
    return {first, last - first + 1};
}

std::optional<PlaneBox> boxOf(const Plane& plane, const VolumeSize& volume)
{
    const VoxelPoint first = plane.at(0, 0);
    if (plane.pixel != 1 || !isWhole(first[0]) || !isWhole(first[1]) || !isWhole(first[2]))
        return std::nullopt;
    const VoxelPoint x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
    PlaneBox box{static_cast<int>(first[0]), static_cast<int>(first[1]), static_cast<int>(first[2])};
    if (plane.u == x && plane.v == y) {
        box.width = plane.width;
        box.height = plane.height;
    } else if (plane.u == x && plane.v == z) {
        box.width = plane.width;
        box.slices = plane.height;
    } else if (plane.u == y && plane.v == z) {
        box.height = plane.width;
        box.slices = plane.height;
    } else
        return std::nullopt;
    const bool inside = box.column >= 0 && box.row >= 0 && box.slice >= 0 && box.column + box.width <= volume.size &&
                        box.row + box.height <= volume.size && box.slice + box.slices <= volume.slices;
    return inside ? std::optional(box) : std::nullopt;
}

} // namespace engine
