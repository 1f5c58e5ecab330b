// SPDX-License-Identifier: GPL-3.0-or-later
// A volume's request as the performance model knows it.
#pragma once

#include "engine/request/setting.h"
#include "engine/volume/performance_model.h"

namespace engine
{

// storedBytes: of a voxel as it is written.
Problem problemOf(const Request& request, double storedBytes = 4);

} // namespace engine
