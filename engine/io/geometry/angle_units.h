// SPDX-License-Identifier: GPL-3.0-or-later
// Units of angles, angles without a unit, and angles that continue over several turns.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace engine
{

// Returns whether angles are radians rather than degrees, judged by the range of a scan: half a turn is 180 or 3.14.
// A few numbers, whose range doesn't tell, are degrees if one of them is above 2π.
bool areRadians(std::span<const double> angles);

struct AngleUnit {
    const char* name; // "degrees"
    double halfTurn;  // in this unit
};
// Returns the unit that a text such as "deg", "rad", "mrad", "gon" or "turns" names; null if it names none.
const AngleUnit* angleUnit(const std::string& text);
// Returns the unit that the range of a scan's angles suggests: degrees, unless it is half a turn or a full one in
// radians, milliradians, turns or millidegrees. 200 or 400 remain degrees, as such arcs are usual.
const AngleUnit& likelyAngleUnit(std::span<const double> angles);

// Radians continue over turns (unwrap), as the position of a motor does.
std::vector<double> inRadians(std::vector<double> angles, const AngleUnit& unit);

// Returns whether evenly spaced angles cover half a turn or a full turn, with or without the end point, to within
// `partOfStep` steps. range: from the first to the last; halfTurn: π or 180.
bool coverWholeTurns(double range, double step, double halfTurn, double partOfStep);

// Makes angles continuous where they jump from one end of a turn to the other, and subtracts the whole turns of the
// first angle from all: 292.2 to 295.3 rad become 3.2 to 6.3 rad. Angles that would then be neither ascending nor
// descending stay as they are.
void unwrap(std::vector<double>& anglesRad);

} // namespace engine
