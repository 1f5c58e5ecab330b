// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/clock.h"

#include <cuda_runtime.h>
#include <dlfcn.h>

namespace engine
{

namespace
{

// NVML comes with the driver, not with CUDA: it is loaded when it is asked for, by its documented C interface.
struct Nvml {
    using Init = int (*)();
    using ByBus = int (*)(const char* bus, void** device);
    using ClockInfo = int (*)(void* device, int domain, unsigned* mhz);
    ByBus byBus = nullptr;
    ClockInfo clockInfo = nullptr;

    Nvml()
    {
        void* library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
        if (!library)
            return;
        const auto init = reinterpret_cast<Init>(dlsym(library, "nvmlInit_v2"));
        if (!init || init() != 0)
            return;
        byBus = reinterpret_cast<ByBus>(dlsym(library, "nvmlDeviceGetHandleByPciBusId_v2"));
        clockInfo = reinterpret_cast<ClockInfo>(dlsym(library, "nvmlDeviceGetClockInfo"));
    }
};

} // namespace

double gpuClockMhz(int device)
{
    static const Nvml nvml;
    constexpr int multiprocessors = 1; // NVML_CLOCK_SM
    char bus[32] = {};
    void* handle = nullptr;
    unsigned mhz = 0;
    if (!nvml.byBus || !nvml.clockInfo)
        return 0;
    if (cudaDeviceGetPCIBusId(bus, sizeof bus, device) != cudaSuccess) {
        cudaGetLastError();
        return 0;
    }
    if (nvml.byBus(bus, &handle) != 0 || nvml.clockInfo(handle, multiprocessors, &mhz) != 0)
        return 0;
    return mhz;
}

} // namespace engine
