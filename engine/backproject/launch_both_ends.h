// SPDX-License-Identifier: GPL-3.0-or-later
// A launch by any method of an image without some slices in the middle of its grid.
#pragma once

#include "engine/backproject/method.h"

namespace engine
{

// Launches a method without mirrored pairs twice, for an image that has fewer slices than the grid: what
// LaunchArguments::image says of those in pairs then holds of all methods.
LaunchReport launchBothEnds(const Method& method, const LaunchArguments& arguments, Workspace& workspace);

} // namespace engine
