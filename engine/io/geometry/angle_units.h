// SPDX-License-Identifier: GPL-3.0-or-later
// Angles without a unit, and angles that continue over several turns.
#pragma once

#include <span>
#include <vector>

namespace engine
{

// Returns whether angles are radians rather than degrees, judged by the range of a scan: half a turn is 180 or 3.14.
// A few numbers, whose range doesn't tell, are degrees if one of them is above 2π.
bool areRadians(std::span<const double> angles);

// Returns whether evenly spaced angles cover half a turn or a full turn, with or without the end point, to within
// `partOfStep` steps. range: from the first to the last; halfTurn: π or 180.
bool coverWholeTurns(double range, double step, double halfTurn, double partOfStep);

// Makes angles continuous where they jump from one end of a turn to the other, and subtracts the whole turns of the
// first angle from all: 292.2 to 295.3 rad become 3.2 to 6.3 rad. Angles that would then be neither ascending nor
// descending stay as they are.
void unwrap(std::vector<double>& anglesRad);

} // namespace engine
