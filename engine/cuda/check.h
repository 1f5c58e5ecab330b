// SPDX-License-Identifier: GPL-3.0-or-later
// Conversion of failed CUDA calls to engine::Error.
#pragma once

#include "engine/base/error.h"

#include <cuda_runtime.h>

#include <string>

namespace engine
{

// Throws Error(noMemory) if the GPU's memory is exhausted, Error(device) for other failures. `what` is the call as
// written.
inline void checkCuda(cudaError_t status, const char* what)
{
    if (status == cudaSuccess)
        return;
    cudaGetLastError(); // a recoverable error must not be reported again by the next call
    if (status == cudaErrorMemoryAllocation)
        throw Error(ErrorKind::noMemory, "the GPU has not enough free memory for this request (" + std::string(what) +
                                             "); reconstruct fewer slices at once or a smaller region");
    throw Error(ErrorKind::device,
                "the GPU failed: " + std::string(cudaGetErrorString(status)) + " (" + std::string(what) + ")");
}

} // namespace engine

#define SINOSCOPE_CUDA(call) ::engine::checkCuda((call), #call)
#define SINOSCOPE_CUDA_LAUNCHED() ::engine::checkCuda(cudaPeekAtLastError(), "kernel launch")
