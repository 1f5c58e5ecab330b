// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planes/linked_planes.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ui
{

namespace
{

using engine::VoxelPoint;

QString planeText(const char* text)
{
    return QCoreApplication::translate("ui::LinkedPlanes", text);
}

constexpr double tolerance = 1e-6; // of directions, and of positions in voxels

double product(const VoxelPoint& a, const VoxelPoint& b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

VoxelPoint crossProduct(const VoxelPoint& a, const VoxelPoint& b)
{
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

VoxelPoint moved(const VoxelPoint& from, const VoxelPoint& along, double by)
{
    return {from[0] + by * along[0], from[1] + by * along[1], from[2] + by * along[2]};
}

VoxelPoint difference(const VoxelPoint& a, const VoxelPoint& b)
{
    return moved(a, b, -1);
}

int sizeAlong(const engine::VolumeSize& volume, int axis)
{
    return axis == 2 ? volume.slices : volume.size;
}

// Number of pixels that show all of the volume along a direction.
int extentAlong(const VoxelPoint& direction, const engine::VolumeSize& volume)
{
    const double voxels =
        (std::abs(direction[0]) + std::abs(direction[1])) * volume.size + std::abs(direction[2]) * volume.slices;
    return std::max(1, static_cast<int>(std::ceil(voxels - 1e-9)));
}

// Angle in degrees from −90 (not included) to 90 between two lines.
double betweenLines(double degrees)
{
    return std::remainder(degrees, 180);
}

double degreesOf(const QPointF& direction)
{
    return std::atan2(direction.y(), direction.x()) * 180 / std::numbers::pi;
}

// Inverts LinkedPlanes::plane(). Returns nothing if the plane can't be turned so.
std::optional<PlaneAngles> anglesOf(int plane, const engine::Plane& given)
{
    const engine::Plane across = engine::planeAcross(static_cast<engine::PlaneAxis>(plane), 0, {});
    if (std::abs(product(given.u, across.v)) > tolerance)
        return std::nullopt;
    const auto degrees = [](double sine, double cosine) { // whole numbers stay whole
        return std::round(std::atan2(sine, cosine) * 180 / std::numbers::pi * 1e9) / 1e9;
    };
    const double turn = degrees(product(given.u, crossProduct(across.v, across.u)), product(given.u, across.u)),
                 tilt = degrees(product(given.v, crossProduct(given.u, across.v)), product(given.v, across.v));
    return PlaneAngles{plane == 2 ? turn : -turn, plane == 0 ? tilt : -tilt};
}

// Returns a point of the plane in the volume: the nearest one to `from` if it is there, else the mean of the points
// where the plane meets the edges of the volume.
std::optional<VoxelPoint> pointIn(const engine::VolumeSize& volume, const engine::Plane& plane, const VoxelPoint& from)
{
    const VoxelPoint normal = crossProduct(plane.u, plane.v);
    const VoxelPoint foot = moved(from, normal, product(difference(plane.centre, from), normal));
    const std::array<double, 3> ends{volume.size - 1.0, volume.size - 1.0, volume.slices - 1.0};
    if (std::ranges::all_of(std::array<std::size_t, 3>{0, 1, 2},
                            [&](std::size_t k) { return foot[k] >= -tolerance && foot[k] <= ends[k] + tolerance; }))
        return foot;
    VoxelPoint sum{};
    int met = 0;
    for (std::size_t axis = 0; axis < 3; ++axis)
        for (int edge = 0; edge < 4; ++edge) {
            VoxelPoint at{};
            at[(axis + 1) % 3] = edge % 2 ? ends[(axis + 1) % 3] : 0;
            at[(axis + 2) % 3] = edge / 2 ? ends[(axis + 2) % 3] : 0;
            at[axis] = product(difference(plane.centre, at), normal) / normal[axis];
            if (!(at[axis] >= 0 && at[axis] <= ends[axis])) // also NaN
                continue;
            sum = moved(sum, at, 1);
            ++met;
        }
    return met > 0 ? std::optional(moved({}, sum, 1.0 / met)) : std::nullopt;
}

} // namespace

LinkedPlanes LinkedPlanes::inMiddleOf(const engine::VolumeSize& volume)
{
    LinkedPlanes planes;
    planes.volume = volume;
    const double middle = volume.size / 2;
    planes.point = {middle, middle, static_cast<double>(volume.slices / 2)};
    return planes;
}

bool LinkedPlanes::operator==(const LinkedPlanes& other) const
{
    return volume.size == other.volume.size && volume.slices == other.volume.slices && point == other.point &&
           angles == other.angles;
}

bool LinkedPlanes::isTurned(int plane) const
{
    return angles[static_cast<std::size_t>(plane)] != PlaneAngles();
}

int LinkedPlanes::voxel(int axis) const
{
    return std::clamp(static_cast<int>(std::lround(point[static_cast<std::size_t>(axis)])), 0,
                      std::max(0, sizeAlong(volume, axis) - 1));
}

engine::VoxelPoint LinkedPlanes::shownPoint() const
{
    VoxelPoint shown = point;
    for (int axis = 0; axis < count; ++axis)
        if (!isTurned(axis))
            shown[static_cast<std::size_t>(axis)] = voxel(axis);
    return shown;
}

engine::Plane LinkedPlanes::plane(int plane) const
{
    engine::Plane made = engine::planeAcross(static_cast<engine::PlaneAxis>(plane), voxel(plane), volume);
    if (!isTurned(plane))
        return made;
    const PlaneAngles& by = angles[static_cast<std::size_t>(plane)];
    // The images of x and z are seen along their axes, that of y is seen against its axis.
    made = engine::turned(made, made.v, plane == 2 ? by.turnDeg : -by.turnDeg);
    made = engine::turned(made, made.u, plane == 0 ? by.tiltDeg : -by.tiltDeg);
    // The image is about the middle of the volume, moved along the normal until the plane contains the point.
    const double middle = (volume.size - 1) / 2.0;
    made.centre = {middle, middle, (volume.slices - 1) / 2.0};
    const VoxelPoint normal = crossProduct(made.u, made.v);
    made.centre = moved(made.centre, normal, product(difference(point, made.centre), normal));
    made.width = extentAlong(made.u, volume);
    made.height = extentAlong(made.v, volume);
    return made;
}

std::optional<int> LinkedPlanes::show(const engine::Plane& given)
{
    const std::optional<VoxelPoint> at = pointIn(volume, given, point);
    if (!at || given.pixel != 1)
        return std::nullopt;
    std::optional<int> least;
    double size = 0;
    LinkedPlanes best;
    for (int plane = 0; plane < count; ++plane) {
        const std::optional<PlaneAngles> by = anglesOf(plane, given);
        if (!by || (least && std::hypot(by->turnDeg, by->tiltDeg) >= size))
            continue;
        LinkedPlanes next = *this;
        next.setAngles(plane, *by);
        next.moveTo(*at);
        const auto k = static_cast<std::size_t>(plane);
        if (!next.isTurned(plane)) // only at voxels
            next.point[k] = next.voxel(plane);
        if (std::abs(next.point[k] - (*at)[k]) > tolerance)
            continue;
        least = plane;
        size = std::hypot(by->turnDeg, by->tiltDeg);
        best = next;
    }
    if (least)
        *this = best;
    return least;
}

QPointF LinkedPlanes::pixelOf(int number, const VoxelPoint& place) const
{
    const engine::Plane in = plane(number);
    const VoxelPoint from = difference(place, in.centre);
    return {product(from, in.u) + (in.width - 1) / 2.0, product(from, in.v) + (in.height - 1) / 2.0};
}

VoxelPoint LinkedPlanes::placeOf(int number, const QPointF& pixel) const
{
    return plane(number).at(pixel.x(), pixel.y());
}

std::optional<QPointF> LinkedPlanes::directionOf(int other, int number) const
{
    const engine::Plane in = plane(number), cutting = plane(other);
    const VoxelPoint line = crossProduct(crossProduct(cutting.u, cutting.v), crossProduct(in.u, in.v));
    const QPointF direction(product(line, in.u), product(line, in.v));
    const double length = std::hypot(direction.x(), direction.y());
    if (length < 1e-6)
        return std::nullopt;
    return direction / length;
}

void LinkedPlanes::moveTo(const VoxelPoint& place)
{
    for (int axis = 0; axis < 3; ++axis) {
        const auto k = static_cast<std::size_t>(axis);
        point[k] = std::clamp(place[k], 0.0, std::max(0.0, sizeAlong(volume, axis) - 1.0));
    }
}

void LinkedPlanes::moveTo(int number, const QPointF& pixel)
{
    VoxelPoint place = placeOf(number, pixel);
    if (!isTurned(number)) {
        for (double& coordinate : place)
            coordinate = std::round(coordinate);
        place[static_cast<std::size_t>(number)] = point[static_cast<std::size_t>(number)];
    }
    moveTo(place);
}

void LinkedPlanes::step(int number, double voxels)
{
    const engine::Plane in = plane(number);
    VoxelPoint normal = crossProduct(in.u, in.v);
    // Upwards in number for planes of voxels, whichever way the image is seen.
    if (const double along = normal[static_cast<std::size_t>(number)]; along < 0)
        normal = moved({}, normal, -1);
    moveTo(moved(point, normal, voxels));
}

void LinkedPlanes::nudge(int number, double right, double down)
{
    moveTo(number, pixelOf(number, point) + QPointF(right, down));
}

void LinkedPlanes::setAngles(int number, const PlaneAngles& given)
{
    const auto brought = [](double degrees) {
        const double within = std::remainder(degrees, 360);
        return within == 0 ? 0.0 : within; // no −0
    };
    angles[static_cast<std::size_t>(number)] = {brought(given.turnDeg), brought(given.tiltDeg)};
}

void LinkedPlanes::turnLine(int other, int number, double degrees, double snapDeg)
{
    const std::optional<QPointF> before = directionOf(other, number);
    if (!before)
        return;
    // See PlaneAngles.
    double PlaneAngles::*which =
        (number == 2 || (other == 2 && number == 1)) ? &PlaneAngles::turnDeg : &PlaneAngles::tiltDeg;
    const PlaneAngles at = angles[static_cast<std::size_t>(other)];
    LinkedPlanes tried = *this;
    PlaneAngles next = at;
    next.*which += 0.5;
    tried.setAngles(other, next);
    const std::optional<QPointF> after = tried.directionOf(other, number);
    if (!after)
        return;
    const double way = betweenLines(degreesOf(*after) - degreesOf(*before)) < 0 ? -1 : 1;
    next = at;
    next.*which += way * degrees;
    if (snapDeg > 0)
        next.*which = snapDeg * std::round(next.*which / snapDeg);
    setAngles(other, next);
}

QString planeName(int plane)
{
    return QString(QLatin1Char("xyz"[plane]));
}

QString planeTitle(const LinkedPlanes& planes, int plane)
{
    if (planes.isTurned(plane)) {
        const PlaneAngles& by = planes.angles[static_cast<std::size_t>(plane)];
        return planeText("%1 · turned %2°, tilted %3°")
            .arg(planeName(plane))
            .arg(by.turnDeg, 0, 'g', 4)
            .arg(by.tiltDeg, 0, 'g', 4)
            .replace(u'-', u'−');
    }
    const std::array titles{planeText("x · column %1"), planeText("y · row %1"), planeText("z · slice %1")};
    return titles[static_cast<std::size_t>(plane)].arg(planes.voxel(plane));
}

} // namespace ui
