// Which GPU a request means.
#pragma once

#include "engine/cuda/devices.h"
#include "engine/setting.h"

namespace engine
{

// The one named, or for `automatic` the first that can be used, which need not be GPU 0. nullptr: none.
const CudaDevice* gpuFor(const DeviceSettings& settings, const CudaDevices& found);

// Its number on this machine; the one that the settings name where there is none.
int gpuIndexFor(const DeviceSettings& settings);

} // namespace engine
