// SPDX-License-Identifier: GPL-3.0-or-later
// Selection of the GPU for a request.
#pragma once

#include "engine/backproject/method.h"
#include "engine/cuda/devices.h"
#include "engine/opencl/devices.h"
#include "engine/request/setting.h"

#include <optional>
#include <string>
#include <vector>

namespace engine
{

// Returns the named GPU; for `automatic` or all GPUs the first that can be used, which need not be GPU 0. nullptr if
// there is none.
const CudaDevice* gpuFor(const DeviceSettings& settings, const CudaDevices& found);

// Returns the named OpenCL device; nullptr if there is none. No other device leads to one: drivers are loaded only for
// users who ask for them.
const OpenClDevice* openClFor(const DeviceSettings& settings, const OpenClDevices& found);

// Returns the devices that share the slices of a volume, one entry per device: cuda:all becomes all usable GPUs.
// Throws Error(device) if cuda:all finds none.
std::vector<DeviceSettings> devicesOf(const Resources& resources);

// Returns the GPU's index on this machine; the index in the settings if there is no such GPU.
int gpuIndexFor(const DeviceSettings& settings);

// Returns the index of the device on which the method runs with these settings, in the list of its kind.
int deviceIndexFor(const Method& method, const DeviceSettings& settings);

// Returns why a method of NVIDIA GPUs, or of OpenCL devices, can't be used; nothing if it can. OpenCL's drivers are
// loaded only if the settings name such a device.
std::optional<std::string> deviceProblem(const DeviceSettings& settings);
std::optional<std::string> openClProblem(const DeviceSettings& settings);

// Returns whether the processor may take over where the method's device fails: not from an NVIDIA GPU that the user
// chose, but for a reference. Other makers' drivers refuse some kernels and take others.
bool processorMayTakeOver(const Method& method, const DeviceSettings& settings);

// Returns whether an OpenCL device filters what it back-projects: GPUs do, and other devices that were asked to. Coarse
// previews are made from filtered sinograms, so these come from the processor.
bool filtersOnOpenCl(const Request& request);

// Enters the device's name and the peak of its texture units in the report.
void nameDevice(LaunchReport& report, int deviceIndex);

} // namespace engine
