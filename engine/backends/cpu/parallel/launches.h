// SPDX-License-Identifier: GPL-3.0-or-later
// Methods of the processor, for their table, and the functions that launch them.
#pragma once

#include "engine/backends/method.h"

namespace engine
{

extern const Method exactMethod, doubleMethod, cpuMethod;         // parallel/{exact,double,cpu}.cpp
extern const Method exactConeMethod, cpuConeMethod, ladderMethod; // cone/{exact,cpu,ladder}.cpp

LaunchReport launchExact(const LaunchArguments& arguments);
LaunchReport launchDouble(const LaunchArguments& arguments);
LaunchReport launchCpu(const LaunchArguments& arguments);
LaunchReport launchExactCone(const LaunchArguments& arguments);
LaunchReport launchCpuCone(const LaunchArguments& arguments);
LaunchReport launchLadder(const LaunchArguments& arguments);

LaunchReport launchExactPlane(const LaunchArguments& arguments); // in double precision
LaunchReport launchCpuPlane(const LaunchArguments& arguments);   // on all cores

} // namespace engine
