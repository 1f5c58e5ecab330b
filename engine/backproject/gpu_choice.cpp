// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backproject/gpu_choice.h"

#include "engine/base/error.h"

#include <algorithm>

namespace engine
{

const Machine& thisMachine()
{
    static const Machine machine;
    return machine;
}

const CudaDevice* gpuFor(const DeviceSettings& settings, const Machine& machine)
{
    if (settings.kind != DeviceSettings::Kind::automatic && settings.kind != DeviceSettings::Kind::cuda)
        return nullptr;
    for (const CudaDevice& device : machine.cuda().devices)
        if (settings.kind == DeviceSettings::Kind::automatic || settings.index == DeviceSettings::allGpus ||
            device.index == settings.index)
            return &device;
    return nullptr;
}

const OpenClDevice* openClFor(const DeviceSettings& settings, const Machine& machine)
{
    if (settings.kind != DeviceSettings::Kind::opencl || settings.index < 0)
        return nullptr;
    const std::vector<OpenClDevice>& found = machine.openCl().devices;
    return settings.index < static_cast<int>(found.size()) ? &found[settings.index] : nullptr;
}

bool processorMayTakeOver(const Method& method, const DeviceSettings& settings)
{
    return method.device != DeviceSettings::Kind::cpu &&
           (settings.kind != DeviceSettings::Kind::cuda || method.isReference);
}

std::vector<DeviceSettings> devicesOf(const Resources& resources)
{
    std::vector<DeviceSettings> asked{resources.device}, all;
    asked.insert(asked.end(), resources.others.begin(), resources.others.end());
    for (const DeviceSettings& one : asked) {
        if (one.kind != DeviceSettings::Kind::cuda || one.index != DeviceSettings::allGpus) {
            all.push_back(one);
            continue;
        }
        if (const auto problem = deviceProblem(one.kind, one))
            throw Error(ErrorKind::device, *problem + "; choose another device, or cpu");
        for (const CudaDevice& gpu : cudaDevices().devices)
            if (const DeviceSettings next{DeviceSettings::Kind::cuda, gpu.index}; std::ranges::count(asked, next) == 0)
                all.push_back(next);
    }
    return all;
}

int deviceIndexFor(const Method& method, const DeviceSettings& settings, const Machine& machine)
{
    const CudaDevice* gpu = method.device == DeviceSettings::Kind::cuda ? gpuFor(settings, machine) : nullptr;
    return gpu ? gpu->index : settings.index;
}

namespace
{

std::optional<std::string> cudaProblem(const DeviceSettings& settings, const Machine& machine)
{
    if (settings.kind == DeviceSettings::Kind::cpu)
        return "this method runs on an NVIDIA GPU, not on the processor";
    if (settings.kind == DeviceSettings::Kind::opencl)
        return "this method runs on an NVIDIA GPU through CUDA; on OpenCL devices run those whose names end in -opencl";
    if (gpuFor(settings, machine))
        return std::nullopt;
    if (const CudaDevices& found = machine.cuda(); !found.reason.empty())
        return "no NVIDIA GPU can be used: " + found.reason;
    return "there is no NVIDIA GPU " + std::to_string(settings.index);
}

std::optional<std::string> openClProblem(const DeviceSettings& settings, const Machine& machine)
{
    if (settings.kind != DeviceSettings::Kind::opencl)
        return "this method runs on an OpenCL device; choose the device opencl";
    const OpenClDevices& found = machine.openCl();
    const OpenClDevice* device = openClFor(settings, machine);
    if (device && device->unusable.empty())
        return std::nullopt;
    if (device)
        return "the OpenCL device " + device->name + " can't be used: " + device->unusable;
    if (!found.reason.empty())
        return "no OpenCL device can be used: " + found.reason;
    const std::size_t last = found.devices.size() - 1;
    return "there is no OpenCL device " + std::to_string(settings.index) + ", only " +
           (last > 0 ? "0 to " + std::to_string(last) : "0");
}

} // namespace

std::optional<std::string> deviceProblem(DeviceSettings::Kind kind, const DeviceSettings& settings,
                                         const Machine& machine)
{
    if (kind == DeviceSettings::Kind::cuda)
        return cudaProblem(settings, machine);
    return kind == DeviceSettings::Kind::opencl ? openClProblem(settings, machine) : std::nullopt;
}

bool filtersOnOpenCl(const Request& request, const Machine& machine)
{
    const FilterOn where = request.resources.filterOn;
    if (!hasOpenClTransforms() || where == FilterOn::processor || request.place.previewStep > 1)
        return false;
    const OpenClDevice* device = openClFor(request.resources.device, machine);
    return device && (device->isGpu || where == FilterOn::gpu);
}

void nameDevice(LaunchReport& report, int deviceIndex)
{
    for (const CudaDevice& device : cudaDevices().devices)
        if (device.index == deviceIndex) {
            report.device = device.name;
            report.texelsPerSecond = device.texelsPerSecond();
        }
}

} // namespace engine
