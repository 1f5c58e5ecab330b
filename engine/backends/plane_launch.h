// SPDX-License-Identifier: GPL-3.0-or-later
// Launch of planes, and what they are limited to.
#pragma once

#include "engine/backends/backend.h"

#include <optional>
#include <string>

namespace engine
{

// Runs the method for the plane of the arguments. Beside an outer slice the plane shows this slice, up to half a slice
// away; pixels further outside are gaps, NaN. Exception: planes that cross slices of a cone beam, whose rays meet other
// rows than their slices.
LaunchReport launchPlane(DeviceSession& session, const Method& method, const LaunchArguments& arguments);

// Returns why the method can't reconstruct a plane with the request's kernel; nothing if it can.
std::optional<std::string> planeLimits(const Method& method, const Request& request);

} // namespace engine
