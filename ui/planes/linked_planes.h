// SPDX-License-Identifier: GPL-3.0-or-later
// Three planes through one point of a volume, each turned by two angles. Plain values, without widgets.
#pragma once

#include "engine/data/plane.h"

#include <QPointF>
#include <QString>

#include <array>
#include <optional>

namespace ui
{

// Angles of a plane in degrees: first turned about the image's vertical direction, then tilted about its horizontal
// one, anticlockwise as displayed in the image of the plane across that direction: x and y are turned in z, and tilted
// in each other; z is turned in y and tilted in x.
struct PlaneAngles {
    double turnDeg = 0, tiltDeg = 0;
    bool operator==(const PlaneAngles&) const = default;
};

// Plane 0 is seen along x (the columns), 1 along y (the rows), 2 along z (the slices). A plane without angles consists
// of voxels: it lies at the whole column, row or slice next to the point. Others contain the point.
struct LinkedPlanes {
    static constexpr int count = 3;

    engine::VolumeSize volume;
    engine::VoxelPoint point{}; // column, row and slice
    std::array<PlaneAngles, count> angles{};

    static LinkedPlanes inMiddleOf(const engine::VolumeSize& volume);
    bool operator==(const LinkedPlanes& other) const;

    bool isTurned(int plane) const;
    int voxel(int axis) const;             // column, row or slice of the voxel at the point
    engine::VoxelPoint shownPoint() const; // the point, at the column, row or slice of planes that aren't turned
    engine::Plane plane(int plane) const;
    // Moves to the given plane, turning the one of the planes that needs the smallest angles, and returns its number.
    // Its image may be of another size. Returns nothing, and changes nothing, if none can be the plane: its pixels
    // aren't voxels, its image is rotated within the plane, or it lies outside the volume.
    std::optional<int> show(const engine::Plane& given);

    // Return positions in pixels of the plane's image, from the centre of its first pixel, and back.
    QPointF pixelOf(int plane, const engine::VoxelPoint& place) const;
    engine::VoxelPoint placeOf(int plane, const QPointF& pixel) const;
    // Returns the direction in which the other plane cuts the plane's image, of length 1; nothing if they are parallel.
    std::optional<QPointF> directionOf(int other, int plane) const;

    void moveTo(const engine::VoxelPoint& place); // inside the volume
    // Moves to a pixel of the plane's image: to a whole voxel, unless the plane is turned.
    void moveTo(int plane, const QPointF& pixel);
    void step(int plane, double voxels);                 // along the plane's normal
    void nudge(int plane, double right, double down);    // in its image
    void setAngles(int plane, const PlaneAngles& given); // brought to −180…180°
    // Turns `other` by its turn or tilt so that its line in the plane's image follows a drag by `degrees`, clockwise
    // on the screen. snapDeg > 0: to a multiple of it.
    void turnLine(int other, int plane, double degrees, double snapDeg);
};

QString planeName(int plane);                              // "x"
QString planeTitle(const LinkedPlanes& planes, int plane); // "x · column 12"

} // namespace ui
