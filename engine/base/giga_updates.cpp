// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/giga_updates.h"

namespace engine
{

double gigaUpdatesPerSecond(double voxels, double projections, double seconds)
{
    return seconds > 0 ? voxels * projections / seconds / 1e9 : 0;
}

} // namespace engine
