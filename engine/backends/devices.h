// SPDX-License-Identifier: GPL-3.0-or-later
// A machine's devices and speeds, and the selection of the device for a request.
#pragma once

#include "engine/backends/backend.h"
#include "engine/backends/measured_speeds.h"
#include "engine/request/setting.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace engine
{

// The devices and the measured speeds of a machine, on which the plan of a request depends. They are looked up when
// they are needed: a driver is loaded only for users who ask for its devices.
struct Machine {
    const Devices& (*devices)(const Backend&) = [](const Backend& backend) -> const Devices& {
        return backend.devices();
    };
    std::shared_ptr<const std::vector<MeasuredSpeed>> (*speeds)() = measuredSpeeds;
    // Backend::transformProblem, of a backend that has it
    std::optional<std::string> (*transformProblem)(const Backend&) = [](const Backend& backend) {
        return backend.transformProblem();
    };
};

// Return a single device from its text form, and one or several, with commas: "auto", "cpu", "cuda:1", "cuda:all". They
// throw Error(badRequest) that names the value and lists the valid ones.
DeviceSettings deviceFromText(const std::string& text);
void setDevices(Resources& resources, const std::string& text);
std::string deviceForms(); // all valid forms of one device: "auto, cpu, cuda, cuda:N or cuda:all"
std::string deviceUsage(); // "auto|cpu|cuda[:N|:all][,...]"

// Returns whether the backend may run what is for this device: `auto`, or a device of the backend.
bool mayUse(const Backend& backend, const DeviceSettings& settings);

// Returns the named device of the backend; for `automatic` or all devices the first that can be used, which need not be
// number 0. nullptr if there is none, or the settings name another backend. It may be unusable if it is named.
const Device* deviceFor(const Backend& backend, const DeviceSettings& settings, const Machine& machine = thisMachine());

bool isProcessor(const DeviceSettings& device); // false for an automatic one
std::vector<DeviceSettings> usableDevices(const Backend& backend);

// Returns the devices that share the slices of a volume, one entry per device: cuda:all becomes all usable GPUs.
// Throws Error(device) if cuda:all finds none.
std::vector<DeviceSettings> devicesOf(const Resources& resources);

// Returns the index of the device on which the method runs with these settings, in the list of its backend; of a GPU
// the index in the settings if there is no such device.
int deviceIndexFor(const Method& method, const DeviceSettings& settings, const Machine& machine = thisMachine());

// Returns the device on which the method runs: named if the settings leave it open.
DeviceSettings deviceOf(const Method& method, const DeviceSettings& settings);

// Returns why no device of the backend can be used, or not the named one; nothing if it can. Drivers of a backend that
// isn't automatic are loaded only if the settings name one of its devices.
std::optional<std::string> deviceProblem(const Backend& backend, const DeviceSettings& settings,
                                         const Machine& machine = thisMachine());

// Throws Error(device), with what to do instead, if the named device can't be used. instead: "; use --device cpu".
void requireDevice(const DeviceSettings& device, const std::string& instead, const Machine& machine = thisMachine());

// Returns whether the processor may take over where the method's device fails: not from a device of a strict backend
// that the user chose, but for a reference.
bool processorMayTakeOver(const Method& method, const DeviceSettings& settings);

// Throws Error(badRequest), which tells how to build it, for a variant that this build lacks for every setting. device:
// the one that would run it.
void requireVariant(const DeviceSettings& device, const std::string& variant);

// Asks the drivers of the backends that `auto` considers, which can take a second the first time.
void findAutomaticDevices();

// Returns the state of the device at this moment; all 0 if nothing is known.
DeviceState stateOf(const DeviceSettings& device);

} // namespace engine
