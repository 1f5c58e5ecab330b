// SPDX-License-Identifier: GPL-3.0-or-later
// Conversion of a volume's request to a problem of the performance model.
#pragma once

#include "engine/request/setting.h"
#include "engine/volume/performance_model.h"

namespace engine
{

// storedBytes: bytes per stored voxel.
Problem problemOf(const Request& request, double storedBytes = 4);

} // namespace engine
