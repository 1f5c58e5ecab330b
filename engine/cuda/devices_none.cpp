// SPDX-License-Identifier: GPL-3.0-or-later
// Empty device list, and no figures of devices, of a build without CUDA. CMake supplies the reason and how to get CUDA
// (packaging/cuda_choice.cmake).
#include "engine/base/error.h"
#include "engine/cuda/devices.h"
#include "engine/cuda/gpu_peaks.h"
#include "engine/cuda/gpu_state.h"
#include "engine/cuda/launched_kernel.h"

namespace engine
{

const CudaDevices& cudaDevices()
{
    static const CudaDevices none{{}, SINOSCOPE_NO_CUDA_REASON, false};
    return none;
}

GpuState gpuState(int)
{
    return {};
}

double gpuClockMhz(int)
{
    return 0;
}

GpuPeaks gpuPeaks(int)
{
    throw Error(ErrorKind::device, cudaDevices().reason);
}

KernelOccupancy cuda::occupancyOfLastLaunch()
{
    return {};
}

} // namespace engine
