// SPDX-License-Identifier: GPL-3.0-or-later
// What phantoms are made of: ellipses, and ellipsoids that rows of the detector cut into ellipses.
#pragma once

#include "engine/scan/phantom.h"

#include <limits>
#include <vector>

namespace engine
{

// Unit square −1…1, y up. `angleRad` turns the axis of length a away from x, anticlockwise.
struct Ellipse {
    double a = 0, b = 0; // half axes
    double x = 0, y = 0; // centre
    double angleRad = 0;
    double density = 0; // added to what it overlaps
};

// In the cube −1…1, upright: turned about z alone. 2-D phantoms look the same at every height.
struct Ellipsoid {
    Ellipse widest;                                     // where a plane cuts it in the middle
    double c = std::numeric_limits<double>::infinity(); // half axis along z
    double z = 0;
};

// size: pixels along each side of a slice, which the resolution pattern ends at.
std::vector<Ellipsoid> solidsOf(Phantom phantom, int size);

// What a plane at this height cuts out of them.
std::vector<Ellipse> ellipsesAt(const std::vector<Ellipsoid>& solids, double z);

// Of the plane that a row of a parallel beam sees. Rows fill the cube from top to bottom, whatever their number, so a
// single row is the middle of a 3-D phantom.
double heightOfRow(int row, int rows);

// Throws Error(badRequest) that names the value.
void validate(const Simulation& simulation);

} // namespace engine
