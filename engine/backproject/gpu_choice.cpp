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

} // namespace engine
