// SPDX-License-Identifier: GPL-3.0-or-later
// Launch functions of planes, for the table of methods. They are defined in plane/.
#pragma once

#include "engine/backproject/method.h"

#include <optional>
#include <string>

namespace engine
{

LaunchReport launchExactPlane(const LaunchArguments& arguments, Workspace& workspace); // in double precision
LaunchReport launchCpuPlane(const LaunchArguments& arguments, Workspace& workspace);   // on all cores

// With the texture unit of an NVIDIA GPU, which interpolates between bins; the kernel interpolates between rows, in
// full precision. Stores halves only in half precision.
LaunchReport launchCudaPlane(const LaunchArguments& arguments, Workspace& workspace);

// Launches the method's launchPlane. Beside an outer slice the plane shows this slice, up to half a slice away; pixels
// further outside are gaps, NaN. Exception: planes that cross slices of a cone beam, whose rays meet other rows than
// their slices.
LaunchReport launchPlane(const Method& method, const LaunchArguments& arguments, Workspace& workspace);

// Returns why the method can't reconstruct a plane with the request's kernel; nothing if it can.
std::optional<std::string> planeLimits(const Method& method, const Request& request);

} // namespace engine
