// What phantoms are made of: ellipses, and ellipsoids that rows of the detector cut into ellipses.
#pragma once

#include "engine/scan/phantom.h"

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

// What one row of the scan sees. Rows fill the unit cube from top to bottom, whatever their number:
// z = ((rows−1)/2 − row)/(rows/2), so a single row is the middle of a 3-D phantom. 2-D phantoms look
// the same in every row.
std::vector<Ellipse> ellipsesOfRow(const Simulation& simulation, int row);

// Throws Error(badRequest) that names the value.
void validate(const Simulation& simulation);

} // namespace engine
