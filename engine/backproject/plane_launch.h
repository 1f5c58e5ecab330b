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

// Returns why a plane can't be reconstructed with the request's kernel; nothing if it can.
std::optional<std::string> planeLimits(const Request& request);

} // namespace engine
