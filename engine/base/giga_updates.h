// SPDX-License-Identifier: GPL-3.0-or-later
// Rate of back-projection in giga-updates per second.
#pragma once

namespace engine
{

// Returns voxels × projections / seconds / 10⁹; 0 when seconds is not positive.
double gigaUpdatesPerSecond(double voxels, double projections, double seconds);

} // namespace engine
