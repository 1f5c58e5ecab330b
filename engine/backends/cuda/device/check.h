// SPDX-License-Identifier: GPL-3.0-or-later
// Conversion of failed CUDA calls to engine::Error.
#pragma once

#include <cuda_runtime.h>

namespace engine
{

// Throws Error(noMemory) if the status is that the GPU's memory is exhausted, Error(device) for other failures. what:
// the call as written. All calls are checked here, where tests let them fail.
void checkCuda(cudaError_t status, const char* what);

} // namespace engine

#define SINOSCOPE_CUDA(call) ::engine::checkCuda((call), #call)
#define SINOSCOPE_CUDA_LAUNCHED() ::engine::checkCuda(cudaPeekAtLastError(), "kernel launch")
