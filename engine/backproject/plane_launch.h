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

// Returns why the method can't reconstruct a plane with the request's kernel; nothing if it can.
std::optional<std::string> planeLimits(const Method& method, const Request& request);

} // namespace engine
