// SPDX-License-Identifier: GPL-3.0-or-later
// Selection of the GPU for a request.
#pragma once

#include "engine/backproject/method.h"
#include "engine/cuda/devices.h"
#include "engine/request/setting.h"

#include <optional>
#include <string>
#include <vector>

namespace engine
{

// Returns the named GPU; for `automatic` or all GPUs the first that can be used, which need not be GPU 0. nullptr if
// there is none.
const CudaDevice* gpuFor(const DeviceSettings& settings, const CudaDevices& found);

// Returns the devices that share the slices of a volume, one entry per device: cuda:all becomes all usable GPUs.
// Throws Error(device) if cuda:all finds none.
std::vector<DeviceSettings> devicesOf(const Resources& resources);

// Returns the GPU's index on this machine; the index in the settings if there is no such GPU.
int gpuIndexFor(const DeviceSettings& settings);

// Returns why a GPU method can't be used; nothing if it can.
std::optional<std::string> deviceProblem(const DeviceSettings& settings);

// Enters the device's name and the peak of its texture units in the report.
void nameDevice(LaunchReport& report, int deviceIndex);

} // namespace engine
