// SPDX-License-Identifier: GPL-3.0-or-later
// Which GPU a request means.
#pragma once

#include "engine/backproject/method.h"
#include "engine/cuda/devices.h"
#include "engine/request/setting.h"

#include <optional>
#include <string>
#include <vector>

namespace engine
{

// The one named, or for `automatic` the first that can be used, which need not be GPU 0. nullptr: none.
const CudaDevice* gpuFor(const DeviceSettings& settings, const CudaDevices& found);

// Those that share the slices of a volume, one by one: cuda:all is as many as there are. Throws Error(device) where
// it is none.
std::vector<DeviceSettings> devicesOf(const Resources& resources);

// Its number on this machine; the one that the settings name where there is none.
int gpuIndexFor(const DeviceSettings& settings);

// Why a GPU's method can't be used; nothing when it can.
std::optional<std::string> deviceProblem(const DeviceSettings& settings);

// Its name and its texture units' peak.
void nameDevice(LaunchReport& report, int deviceIndex);

} // namespace engine
