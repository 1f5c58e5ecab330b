// SPDX-License-Identifier: GPL-3.0-or-later
// Planes on the processor, in parts that its threads share.
#pragma once

#include "engine/backends/method.h"

#include <functional>

namespace engine
{

// Calls reconstruct(part) for each part, with the launch's threads, until it is stopped, and reports progress. Returns
// the seconds that it took. Throws Error(cancelled) if stopped.
LaunchReport reconstructParts(const LaunchArguments& arguments, int parts,
                              const std::function<void(int part)>& reconstruct);

} // namespace engine
