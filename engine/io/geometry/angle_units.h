// SPDX-License-Identifier: GPL-3.0-or-later
// Angles whose unit isn't given, and angles that are counted over several turns.
#pragma once

#include <span>
#include <vector>

namespace engine
{

// Whether numbers are radians rather than degrees, by the range of a scan: 180 of the one are 3.14 of the other. A
// few numbers that may be either are degrees where one of them is above 2π.
bool areRadians(std::span<const double> angles);

// Whether evenly spread angles reach over half a turn or a full one, with the end or without, up to a part of a step.
// range: from the first to the last; halfTurn: π or 180.
bool coverWholeTurns(double range, double step, double halfTurn, double partOfStep);

// The same directions from less than a turn on, without jumps between the ends of a turn: 292.2 to 295.3 rad become
// 3.2 to 6.3 rad. Angles that are in no order stay as they are.
void unwrap(std::vector<double>& anglesRad);

} // namespace engine
