// SPDX-License-Identifier: GPL-3.0-or-later
// OpenCL devices of this machine.
#pragma once

#include "engine/base/device.h"

namespace engine
{

// Returns the devices, unusable ones too, GPUs first, in the order of the platforms. The first call loads all drivers,
// which can take a second; the result is cached. May be called from any thread; doesn't throw. In a build without
// OpenCL the list is empty and gives the reason.
const Devices& openClDevices();

bool hasOpenClTransforms(); // whether this program was compiled with VkFFT, which OpenCL devices need to filter

} // namespace engine
