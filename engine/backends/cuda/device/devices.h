// SPDX-License-Identifier: GPL-3.0-or-later
// NVIDIA GPUs of this machine.
#pragma once

#include "engine/base/device.h"

namespace engine
{

// Returns the usable GPUs, of compute capability 7.5 or newer; their indices are CUDA's. The first call asks the
// driver, which can take a second; the result is cached. May be called from any thread; doesn't throw. In a build
// without CUDA the list is empty, and the reason tells how to change that.
const Devices& cudaDevices();

} // namespace engine
