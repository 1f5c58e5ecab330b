// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/cuda/device/check.h"

#include "engine/base/error.h"

#include <string>

namespace engine
{

void checkCuda(cudaError_t status, const char* what)
{
    if (status == cudaSuccess)
        return;
    cudaGetLastError(); // a recoverable error must not be reported again by the next call
    if (status == cudaErrorMemoryAllocation)
        throw Error(ErrorKind::noMemory, "the GPU has not enough free memory for this request (" + std::string(what) +
                                             "); take fewer slices or a smaller region, or let the processor compute");
    throw Error(ErrorKind::device,
                "the GPU failed: " + std::string(cudaGetErrorString(status)) + " (" + std::string(what) + ")");
}

} // namespace engine
