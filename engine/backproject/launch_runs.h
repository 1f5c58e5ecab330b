// A launch by any method of an image without some slices in the middle of its grid.
#pragma once

#include "engine/backproject/method.h"

namespace engine
{

// method.launch, in two parts where the image has fewer slices than the grid and the method has no mirrored pairs: what
// LaunchArguments::image says of those then holds of all methods.
LaunchReport launchRuns(const Method& method, const LaunchArguments& arguments, Workspace& workspace);

} // namespace engine
