// SPDX-License-Identifier: GPL-3.0-or-later
// Empty device list, and no figures of devices, of a build without CUDA. CMake supplies the reason and how to get CUDA (cmake/cuda_choice.cmake).
#include "engine/cuda/clock.h"
#include "engine/cuda/devices.h"
#include "engine/cuda/launched_kernel.h"

namespace engine
{

const CudaDevices& cudaDevices()
{
    static const CudaDevices none{{}, SINOSCOPE_NO_CUDA_REASON, false};
    return none;
}

double gpuClockMhz(int)
{
    return 0;
}

KernelOccupancy cuda::occupancyOfLastLaunch()
{
    return {};
}

} // namespace engine
