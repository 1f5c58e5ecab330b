// SPDX-License-Identifier: GPL-3.0-or-later
// Launch of any method for an image without some slices in the middle of its grid.
#pragma once

#include "engine/backproject/method.h"

namespace engine
{

// Launches a method without mirrored pairs twice, for an image that has fewer slices than the grid. In this way all
// methods accept the images that LaunchArguments::image allows for methods in mirrored pairs.
LaunchReport launchBothEnds(const Method& method, const LaunchArguments& arguments, Workspace& workspace);

} // namespace engine
