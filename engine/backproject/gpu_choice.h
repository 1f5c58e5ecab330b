// SPDX-License-Identifier: GPL-3.0-or-later
// A machine's devices and speeds, and the selection of the GPU for a request.
#pragma once

#include "engine/backproject/measured_speeds.h"
#include "engine/backproject/method.h"
#include "engine/cuda/devices.h"
#include "engine/opencl/devices.h"
#include "engine/request/setting.h"

#include <optional>
#include <string>
#include <vector>

namespace engine
{

// The devices and the measured speeds of a machine, on which the plan of a request depends. They are looked up when
// they are needed: a driver is loaded only for users who ask for its devices.
struct Machine {
    const CudaDevices& (*cuda)() = cudaDevices;
    const OpenClDevices& (*openCl)() = openClDevices;
    std::shared_ptr<const std::vector<MeasuredSpeed>> (*speeds)() = measuredSpeeds;
};

// Returns the named GPU; for `automatic` or all GPUs the first that can be used, which need not be GPU 0. nullptr if
// there is none.
const CudaDevice* gpuFor(const DeviceSettings& settings, const Machine& machine);

// Returns the named OpenCL device; nullptr if there is none.
const OpenClDevice* openClFor(const DeviceSettings& settings, const Machine& machine);

// Returns the devices that share the slices of a volume, one entry per device: cuda:all becomes all usable GPUs.
// Throws Error(device) if cuda:all finds none.
std::vector<DeviceSettings> devicesOf(const Resources& resources);

// Returns the index of the device on which the method runs with these settings, in the list of its kind; the index in
// the settings if there is no such device.
int deviceIndexFor(const Method& method, const DeviceSettings& settings, const Machine& machine = thisMachine());

// Returns why a method for that kind of device can't be used; nothing if it can. OpenCL's drivers are loaded only if
// the settings name such a device.
std::optional<std::string> deviceProblem(DeviceSettings::Kind kind, const DeviceSettings& settings,
                                         const Machine& machine = thisMachine());

// Returns whether the processor may take over where the method's device fails: not from an NVIDIA GPU that the user
// chose, but for a reference. Other makers' drivers refuse some kernels and take others.
bool processorMayTakeOver(const Method& method, const DeviceSettings& settings);

// Returns whether an OpenCL device filters what it back-projects: GPUs do, and other devices that were asked to. Coarse
// previews are made from filtered sinograms, so these come from the processor.
bool filtersOnOpenCl(const Request& request, const Machine& machine);

// Enters the device's name and the peak of its texture units in the report.
void nameDevice(LaunchReport& report, int deviceIndex);

} // namespace engine
