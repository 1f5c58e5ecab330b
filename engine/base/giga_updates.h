// SPDX-License-Identifier: GPL-3.0-or-later
// Giga-updates per second.
#pragma once

namespace engine
{

// voxels × projections / seconds / 10⁹; 0 when seconds is not positive.
double gigaUpdatesPerSecond(double voxels, double projections, double seconds);

} // namespace engine
