// SPDX-License-Identifier: GPL-3.0-or-later
// Launch of any method for an image without some slices in the middle of its grid.
#pragma once

#include "engine/backends/backend.h"

namespace engine
{

// Runs a method twice, once for each end of the grid, for an image that has fewer slices than the grid. In this way
// methods without Method::inMirroredPairs can reconstruct such images too (LaunchArguments::image).
LaunchReport launchBothEnds(DeviceSession& session, const Method& method, const LaunchArguments& arguments);

} // namespace engine
