// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/devices.h"

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

CudaDevices askDriver()
{
    CudaDevices result;
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
        result.devices.push_back({i, properties.name, properties.major, properties.minor,
                                  properties.multiProcessorCount, clockKhz / 1000.0,
                                  static_cast<double>(properties.totalGlobalMem), processorsNear(i)});
    }
    if (result.devices.empty() && result.reason.empty())
        result.reason = "no NVIDIA GPU was found";
    return result;
}

} // namespace

const CudaDevices& cudaDevices()
{
    static const CudaDevices found = askDriver();
    return found;
}

} // namespace engine
