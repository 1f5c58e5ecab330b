// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/cuda/device/devices.h"

#include <cuda_runtime.h>

#include <cctype>
#include <fstream>

namespace engine
{

namespace
{
constexpr int oldestMajor = 7, oldestMinor = 5; // CUDA 13 compiles for nothing older

std::string processorsNear(int device)
{
    char bus[32] = {};
    if (cudaDeviceGetPCIBusId(bus, sizeof bus, device) != cudaSuccess) {
        cudaGetLastError();
        return {};
    }
    std::string path = "/sys/bus/pci/devices/";
    for (const char* c = bus; *c != 0; ++c)
        path += static_cast<char>(std::tolower(static_cast<unsigned char>(*c)));
    std::ifstream file(path + "/local_cpulist");
    std::string list;
    std::getline(file, list);
    return list;
}

Devices askDriver()
{
    Devices result;
    int count = 0;
    if (const cudaError_t error = cudaGetDeviceCount(&count); error != cudaSuccess) {
        cudaGetLastError();
        result.reason = error == cudaErrorNoDevice ? "no NVIDIA GPU was found"
                        : error == cudaErrorInsufficientDriver
                            ? "the NVIDIA driver is missing or too old for this build"
                            : std::string("CUDA failed: ") + cudaGetErrorString(error);
        return result;
    }
    for (int i = 0; i < count; ++i) {
        cudaDeviceProp properties{};
        int clockKhz = 0;
        cudaError_t error = cudaGetDeviceProperties(&properties, i);
        if (error == cudaSuccess)
            error = cudaDeviceGetAttribute(&clockKhz, cudaDevAttrClockRate, i);
        if (error != cudaSuccess) {
            cudaGetLastError();
            result.reason = "GPU " + std::to_string(i) + " can't be used: " + cudaGetErrorString(error);
            continue;
        }
        if (properties.major < oldestMajor || (properties.major == oldestMajor && properties.minor < oldestMinor)) {
            result.reason = std::string(properties.name) + " has compute capability " +
                            std::to_string(properties.major) + "." + std::to_string(properties.minor) +
                            "; 7.5 or newer is needed";
            continue;
        }
        Device& device = result.devices.emplace_back();
        device.index = i;
        device.name = properties.name;
        device.details = "GPU " + std::to_string(i) + " · compute capability " + std::to_string(properties.major) +
                         "." + std::to_string(properties.minor);
        device.memoryBytes = static_cast<double>(properties.totalGlobalMem);
        device.clockMhz = clockKhz / 1000.0;
        device.computeUnits = properties.multiProcessorCount;
        // Each multiprocessor filters four texels per cycle (Turing to Blackwell).
        device.texelsPerSecond = 4.0 * device.computeUnits * device.clockMhz * 1e6;
        device.processors = processorsNear(i);
        device.computeMajor = properties.major;
        device.computeMinor = properties.minor;
    }
    if (result.devices.empty() && result.reason.empty())
        result.reason = "no NVIDIA GPU was found";
    return result;
}

} // namespace

const Devices& cudaDevices()
{
    static const Devices found = askDriver();
    return found;
}

} // namespace engine
