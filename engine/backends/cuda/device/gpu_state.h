// SPDX-License-Identifier: GPL-3.0-or-later
// The state of a GPU as the driver's library NVML reports it.
#pragma once

#include "engine/base/device.h"

namespace engine::cuda
{

// device: its index for CUDA. As Backend::state and Backend::clockMhz; all 0 if NVML is missing.
DeviceState gpuState(int device);
double gpuClockMhz(int device);

} // namespace engine::cuda
