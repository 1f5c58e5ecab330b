// SPDX-License-Identifier: GPL-3.0-or-later
// Launch of any method for an image without some slices in the middle of its grid.
#pragma once

#include "engine/backproject/method.h"

namespace engine
{

// Launches a method twice, once for each end of the grid, for an image that has fewer slices than the grid. In this way
// methods without Method::inMirroredPairs can reconstruct such images too (LaunchArguments::image).
LaunchReport launchBothEnds(const Method& method, const LaunchArguments& arguments, Workspace& workspace);

} // namespace engine
