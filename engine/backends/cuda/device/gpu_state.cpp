// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/cuda/device/gpu_state.h"

#include "engine/base/runtime_library.h"

#include <cuda_runtime.h>

namespace engine::cuda
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
    using Energy = int (*)(void* device, unsigned long long* millijoules);

    ByBus byBus = nullptr;
    NumberOf clock = nullptr, temperature = nullptr;
    OneNumber power = nullptr;
    MemoryInfo memory = nullptr;
    Energy energy = nullptr;

    Nvml()
    {
        const RuntimeLibrary library({"libnvidia-ml.so.1"});
        Init init = nullptr;
        if (!library.find(init, "nvmlInit_v2") || init() != 0)
            return;
        library.find(byBus, "nvmlDeviceGetHandleByPciBusId_v2");
        library.find(clock, "nvmlDeviceGetClockInfo");
        library.find(temperature, "nvmlDeviceGetTemperature");
        library.find(power, "nvmlDeviceGetPowerUsage");
        library.find(memory, "nvmlDeviceGetMemoryInfo");
        library.find(energy, "nvmlDeviceGetTotalEnergyConsumption");
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

    double clockMhz(void* handle) const
    {
        constexpr int multiprocessors = 1; // NVML_CLOCK_SM
        unsigned mhz = 0;
        return handle && clock && clock(handle, multiprocessors, &mhz) == 0 ? mhz : 0;
    }
};

const Nvml& loadedNvml()
{
    static const Nvml nvml;
    return nvml;
}

} // namespace

double gpuClockMhz(int device)
{
    return loadedNvml().clockMhz(loadedNvml().find(device));
}

DeviceState gpuState(int device)
{
    constexpr int chip = 0; // NVML_TEMPERATURE_GPU
    const Nvml& nvml = loadedNvml();
    DeviceState state;
    void* const handle = nvml.find(device);
    if (!handle)
        return state;
    state.clockMhz = nvml.clockMhz(handle);
    unsigned value = 0;
    if (nvml.temperature && nvml.temperature(handle, chip, &value) == 0)
        state.celsius = value;
    if (nvml.power && nvml.power(handle, &value) == 0)
        state.watts = 1e-3 * value;
    if (unsigned long long millijoules = 0; nvml.energy && nvml.energy(handle, &millijoules) == 0)
        state.joules = 1e-3 * static_cast<double>(millijoules);
    if (Nvml::Memory memory; nvml.memory && nvml.memory(handle, &memory) == 0) {
        state.usedBytes = static_cast<double>(memory.used);
        state.totalBytes = static_cast<double>(memory.total);
    }
    return state;
}

} // namespace engine::cuda
