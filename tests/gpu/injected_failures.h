// SPDX-License-Identifier: GPL-3.0-or-later
// Failures that a test asks for, at steps where CUDA's own can't be had at will: the program is linked with
// --wrap (tests/CMakeLists.txt), so that these stand between the engine and CUDA. For one source file.
#pragma once

#include <atomic>

struct InjectedFailures {
    // The n-th one from now fails, once; 0: none.
    std::atomic<int> allocations = 0, launches = 0;
};
inline InjectedFailures injectedFailures;

#if SINOSCOPE_HAS_CUDA
#include <cuda_runtime.h>

// From any thread: it stops at 0.
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

// What a launch is asked for by (SINOSCOPE_CUDA_LAUNCHED); other calls ask cudaGetLastError.
cudaError_t __wrap_cudaPeekAtLastError()
{
    const cudaError_t status = __real_cudaPeekAtLastError();
    return isDue(injectedFailures.launches) ? cudaErrorLaunchFailure : status;
}
}
#endif
