// SPDX-License-Identifier: GPL-3.0-or-later
// Failures on request, at steps where CUDA's own failures cannot be provoked: the program is linked with --wrap
// (tests/CMakeLists.txt), so that these functions stand between the engine and CUDA. Include it in one source file
// only.
#pragma once

#include "tests/failing_calls.h"

#include <atomic>

struct InjectedFailures {
    // The n-th call from now fails, once; 0: none.
    std::atomic<int> allocations = 0, launches = 0, calls = 0;
};
inline InjectedFailures injectedFailures;

#include <cuda_runtime.h>

extern "C" {
cudaError_t __real_cudaMalloc(void** data, std::size_t bytes);
cudaError_t __real_cudaMallocHost(void** data, std::size_t bytes);
cudaError_t __real_cudaPeekAtLastError();

cudaError_t __wrap_cudaMalloc(void** data, std::size_t bytes)
{
    return isDue(injectedFailures.allocations) ? cudaErrorMemoryAllocation : __real_cudaMalloc(data, bytes);
}

cudaError_t __wrap_cudaMallocHost(void** data, std::size_t bytes)
{
    return isDue(injectedFailures.allocations) ? cudaErrorMemoryAllocation : __real_cudaMallocHost(data, bytes);
}

// SINOSCOPE_CUDA_LAUNCHED checks a launch with this function; other calls are checked with cudaGetLastError.
cudaError_t __wrap_cudaPeekAtLastError()
{
    const cudaError_t status = __real_cudaPeekAtLastError();
    return isDue(injectedFailures.launches) ? cudaErrorLaunchFailure : status;
}

// engine::checkCuda. Calls that allocate are left out, as their memory would be lost: `allocations` are for them.
void __real__ZN6engine9checkCudaE9cudaErrorPKc(cudaError_t status, const char* what);
void __wrap__ZN6engine9checkCudaE9cudaErrorPKc(cudaError_t status, const char* what)
{
    const std::string text = what;
    const bool allocates = text == "allocation" || text == "layered texture" || fixtures::contains(text, "Malloc") ||
                           fixtures::contains(text, "Create");
    const bool fails = status == cudaSuccess && !allocates && isDue(injectedFailures.calls);
    __real__ZN6engine9checkCudaE9cudaErrorPKc(fails ? cudaErrorUnknown : status, what);
}
}
