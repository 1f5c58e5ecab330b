// SPDX-License-Identifier: GPL-3.0-or-later
// Failures on request, at steps where CUDA's own failures cannot be provoked: the program is linked with --wrap
// (tests/CMakeLists.txt), so that these functions stand between the engine and CUDA. Include it in one source file
// only.
#pragma once

#include <atomic>

struct InjectedFailures {
    // The n-th call from now fails, once; 0: none.
    std::atomic<int> allocations = 0, launches = 0;
};
inline InjectedFailures injectedFailures;

#include <cuda_runtime.h>

// Counts down to 0; whether this call is the one to fail. Thread-safe.
inline bool isDue(std::atomic<int>& left)
{
    int now = left;
    while (now > 0 && !left.compare_exchange_weak(now, now - 1)) {
    }
    return now == 1;
}

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
}
