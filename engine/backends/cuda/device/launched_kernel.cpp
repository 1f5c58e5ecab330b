// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/cuda/device/launched_kernel.h"

#include <cuda_runtime.h>

#include <mutex>

namespace engine::cuda
{

namespace
{

std::mutex mutex;
const void* lastKernel = nullptr;
int lastThreads = 0;
std::size_t lastBytes = 0;

} // namespace

void noteLaunch(const void* kernel, int threads, std::size_t dynamicBytes)
{
    const std::lock_guard lock(mutex);
    lastKernel = kernel;
    lastThreads = threads;
    lastBytes = dynamicBytes;
}

KernelOccupancy occupancyOfLastLaunch()
{
    const std::lock_guard lock(mutex);
    if (!lastKernel)
        return {};
    cudaFuncAttributes attributes{};
    KernelOccupancy made{.threads = lastThreads};
    int device = 0, mostThreads = 0;
    const bool known =
        cudaGetDevice(&device) == cudaSuccess && cudaFuncGetAttributes(&attributes, lastKernel) == cudaSuccess &&
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&made.blocks, lastKernel, lastThreads, lastBytes) ==
            cudaSuccess &&
        cudaDeviceGetAttribute(&mostThreads, cudaDevAttrMaxThreadsPerMultiProcessor, device) == cudaSuccess;
    if (!known) {
        cudaGetLastError();
        return {};
    }
    made.registers = attributes.numRegs;
    made.sharedBytes = static_cast<int>(attributes.sharedSizeBytes + lastBytes);
    made.occupancy = static_cast<double>(made.blocks) * lastThreads / mostThreads;
    return made;
}

} // namespace engine::cuda
