// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/gpu_state.h"

#include <cuda_runtime.h>
#include <dlfcn.h>

namespace engine
{

namespace
{

// NVML comes with the driver, not with CUDA: it is loaded when it is asked for, by its documented C interface.
struct Nvml {
    struct Memory {
        unsigned long long total = 0, free = 0, used = 0;
    };
    using Init = int (*)();
    using ByBus = int (*)(const char* bus, void** device);
    using OneNumber = int (*)(void* device, unsigned* value);
    using NumberOf = int (*)(void* device, int what, unsigned* value);
    using MemoryInfo = int (*)(void* device, Memory* memory);

    ByBus byBus = nullptr;
    NumberOf clock = nullptr, temperature = nullptr;
    OneNumber power = nullptr;
    MemoryInfo memory = nullptr;

    Nvml()
    {
        void* library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
        if (!library)
            return;
        const auto init = reinterpret_cast<Init>(dlsym(library, "nvmlInit_v2"));
        if (!init || init() != 0)
            return;
        byBus = reinterpret_cast<ByBus>(dlsym(library, "nvmlDeviceGetHandleByPciBusId_v2"));
        clock = reinterpret_cast<NumberOf>(dlsym(library, "nvmlDeviceGetClockInfo"));
        temperature = reinterpret_cast<NumberOf>(dlsym(library, "nvmlDeviceGetTemperature"));
        power = reinterpret_cast<OneNumber>(dlsym(library, "nvmlDeviceGetPowerUsage"));
        memory = reinterpret_cast<MemoryInfo>(dlsym(library, "nvmlDeviceGetMemoryInfo"));
    }

    // Returns the handle of a device of CUDA; null if it isn't known.
    void* find(int device) const
    {
        char bus[32] = {};
        void* handle = nullptr;
        if (!byBus)
            return nullptr;
        if (cudaDeviceGetPCIBusId(bus, sizeof bus, device) != cudaSuccess) {
            cudaGetLastError();
            return nullptr;
        }
        return byBus(bus, &handle) == 0 ? handle : nullptr;
    }
};

} // namespace

GpuState gpuState(int device)
{
    static const Nvml nvml;
    constexpr int multiprocessors = 1, chip = 0; // NVML_CLOCK_SM, NVML_TEMPERATURE_GPU
    GpuState state;
    void* const handle = nvml.find(device);
    if (!handle)
        return state;
    unsigned value = 0;
    if (nvml.clock && nvml.clock(handle, multiprocessors, &value) == 0)
        state.clockMhz = value;
    if (nvml.temperature && nvml.temperature(handle, chip, &value) == 0)
        state.celsius = value;
    if (nvml.power && nvml.power(handle, &value) == 0)
        state.watts = 1e-3 * value;
    if (Nvml::Memory memory; nvml.memory && nvml.memory(handle, &memory) == 0) {
        state.usedBytes = static_cast<double>(memory.used);
        state.totalBytes = static_cast<double>(memory.total);
    }
    return state;
}

} // namespace engine
