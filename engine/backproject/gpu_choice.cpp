// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backproject/gpu_choice.h"

#include "engine/base/error.h"

#include <algorithm>

namespace engine
{

const CudaDevice* gpuFor(const DeviceSettings& settings, const CudaDevices& found)
{
    if (settings.kind != DeviceSettings::Kind::automatic && settings.kind != DeviceSettings::Kind::cuda)
        return nullptr;
    for (const CudaDevice& device : found.devices)
        if (settings.kind == DeviceSettings::Kind::automatic || settings.index == DeviceSettings::allGpus ||
            device.index == settings.index)
            return &device;
    return nullptr;
}

const OpenClDevice* openClFor(const DeviceSettings& settings, const OpenClDevices& found)
{
    const bool isThere = settings.kind == DeviceSettings::Kind::opencl && settings.index >= 0 &&
                         settings.index < static_cast<int>(found.devices.size());
    return isThere ? &found.devices[settings.index] : nullptr;
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
        if (const auto problem = deviceProblem(one))
            throw Error(ErrorKind::device, *problem + "; choose another device, or cpu");
        for (const CudaDevice& gpu : cudaDevices().devices)
            if (const DeviceSettings next{DeviceSettings::Kind::cuda, gpu.index}; std::ranges::count(asked, next) == 0)
                all.push_back(next);
    }
    return all;
}

int gpuIndexFor(const DeviceSettings& settings)
{
    const CudaDevice* device = gpuFor(settings, cudaDevices());
    return device ? device->index : settings.index;
}

int deviceIndexFor(const Method& method, const DeviceSettings& settings)
{
    return method.device == DeviceSettings::Kind::opencl ? settings.index : gpuIndexFor(settings);
}

std::optional<std::string> deviceProblem(const DeviceSettings& settings)
{
    if (settings.kind == DeviceSettings::Kind::cpu)
        return "this method runs on an NVIDIA GPU, not on the processor";
    if (settings.kind == DeviceSettings::Kind::opencl)
        return "this method runs on an NVIDIA GPU through CUDA; on OpenCL devices run those whose names end in -opencl";
    const CudaDevices& found = cudaDevices();
    if (gpuFor(settings, found))
        return std::nullopt;
    if (!found.reason.empty())
        return "no NVIDIA GPU can be used: " + found.reason;
    return "there is no NVIDIA GPU " + std::to_string(settings.index);
}

std::optional<std::string> openClProblem(const DeviceSettings& settings)
{
    if (settings.kind != DeviceSettings::Kind::opencl)
        return "this method runs on an OpenCL device; choose the device opencl";
    const OpenClDevices& found = openClDevices();
    const OpenClDevice* device = openClFor(settings, found);
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

bool filtersOnOpenCl(const Request& request)
{
    const FilterOn where = request.resources.filterOn;
    if (!hasOpenClTransforms() || where == FilterOn::processor || request.place.previewStep > 1)
        return false;
    const OpenClDevice* device = openClFor(request.resources.device, openClDevices());
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
