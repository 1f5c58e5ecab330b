// SPDX-License-Identifier: GPL-3.0-or-later
// Shapes of phantoms: ellipses, and ellipsoids, whose cross-sections in the rows of the detector are ellipses.
#pragma once

#include "engine/simulate/phantom.h"

#include <array>
#include <limits>
#include <vector>

namespace engine
{

// Ellipse in the square −1…1, y up. `angleRad` turns the axis of length a away from x, anticlockwise.
struct Ellipse {
    double a = 0, b = 0; // half axes
    double x = 0, y = 0; // centre
    double angleRad = 0;
    double density = 0; // densities of overlapping ellipses add up
};

// Ellipsoid in the cube −1…1, rotated about z only. 2-D phantoms look the same at every height.
struct Ellipsoid {
    Ellipse widest;                                     // cross-section through the middle
    double c = std::numeric_limits<double>::infinity(); // half axis along z
    double z = 0;
};

// size: pixels along each side of a slice; the finest holes of the resolution pattern are one pixel wide.
std::vector<Ellipsoid> solidsOf(Phantom phantom, int size);

// Returns the cross-sections of the ellipsoids at this height.
std::vector<Ellipse> ellipsesAt(const std::vector<Ellipsoid>& solids, double z);

// A plane in the cube −1…1, of points centre + s·right + t·up. The directions may have any length and any angle.
struct CutPlane {
    std::array<double, 3> centre{}, right{}, up{};
};

// Returns the cross-sections of the ellipsoids in a plane, in its coordinates s and t.
std::vector<Ellipse> ellipsesIn(const std::vector<Ellipsoid>& solids, const CutPlane& plane);

// Returns the height of the plane that a row of a parallel beam sees. Rows fill the cube from top to bottom, whatever
// their number, so a single row is the middle of a 3-D phantom.
double heightOfRow(int row, int rows);

// Throws Error(badRequest), which names the value.
void validate(const Simulation& simulation);

} // namespace engine
