// SPDX-License-Identifier: GPL-3.0-or-later
// Empty device list of a build without CUDA. CMake supplies the reason and how to get CUDA (cmake/cuda_choice.cmake).
#include "engine/cuda/devices.h"

namespace engine
{

const CudaDevices& cudaDevices()
{
    static const CudaDevices none{{}, SINOSCOPE_NO_CUDA_REASON, false};
    return none;
}

} // namespace engine
