// SPDX-License-Identifier: GPL-3.0-or-later
// Handles of the devices in the list.
#pragma once

#include "engine/backends/opencl/device/functions.h"

namespace engine::opencl
{

// Returns the handle of the device with that index in openClDevices(). Throws Error(device) if there is none.
cl_device_id handleOf(int index);

} // namespace engine::opencl
