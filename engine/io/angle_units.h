// Angles whose unit isn't given, and angles that are counted over several turns.
#pragma once

#include <span>
#include <vector>

namespace engine
{

// Whether numbers are radians rather than degrees, by the range of a scan: 180 of the one are 3.14 of the other. A
// few numbers that may be either are degrees where one of them is above 2π.
bool areRadians(std::span<const double> angles);

// The same directions from less than a turn on, without jumps between the ends of a turn: 292.2 to 295.3 rad become
// 3.2 to 6.3 rad. Angles that are in no order stay as they are.
void unwrap(std::vector<double>& anglesRad);

} // namespace engine
