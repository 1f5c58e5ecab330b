#include "engine/backproject/gpu_choice.h"

namespace engine
{

const CudaDevice* gpuFor(const DeviceSettings& settings, const CudaDevices& found)
{
    if (settings.kind == DeviceSettings::Kind::cpu)
        return nullptr;
    for (const CudaDevice& device : found.devices)
        if (settings.kind == DeviceSettings::Kind::automatic || device.index == settings.index)
            return &device;
    return nullptr;
}

int gpuIndexFor(const DeviceSettings& settings)
{
    const CudaDevice* device = gpuFor(settings, cudaDevices());
    return device ? device->index : settings.index;
}

std::optional<std::string> deviceProblem(const DeviceSettings& settings)
{
    if (settings.kind == DeviceSettings::Kind::cpu)
        return "this method runs on an NVIDIA GPU, not on the processor";
    const CudaDevices& found = cudaDevices();
    if (gpuFor(settings, found))
        return std::nullopt;
    if (!found.reason.empty())
        return "no NVIDIA GPU can be used: " + found.reason;
    return "there is no NVIDIA GPU " + std::to_string(settings.index);
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
