// SPDX-License-Identifier: GPL-3.0-or-later
// A build without CUDA: CMake says why, and how to get one (cmake/cuda_choice.cmake).
#include "engine/cuda/devices.h"

namespace engine
{

const CudaDevices& cudaDevices()
{
    static const CudaDevices none{{}, SINOSCOPE_NO_CUDA_REASON, false};
    return none;
}

} // namespace engine
