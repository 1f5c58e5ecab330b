// SPDX-License-Identifier: GPL-3.0-or-later
// Planes of parallel beams on the processor whose rows or columns are level.
#pragma once

#include "engine/backends/plane/plane_views.h"

#include <optional>

namespace engine
{

// Reconstructs the arguments' plane if it is such a one, with pixels at most one bin apart. views: wholePlaneViewsOf().
std::optional<LaunchReport> launchLevelPlane(const LaunchArguments& arguments, const std::vector<PlaneView>& views);

} // namespace engine
