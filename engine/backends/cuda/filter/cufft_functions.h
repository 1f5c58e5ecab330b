// SPDX-License-Identifier: GPL-3.0-or-later
// Functions of cuFFT by its documented C interface. The library is a part of the user's CUDA toolkit: it is loaded when
// a request asks for it, and neither the build nor the program needs it (packaging/licences.md).
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <optional>
#include <string>

namespace engine::cuda
{

struct CufftFunctions {
    enum Type : int { realToComplex = 0x2a, complexToReal = 0x2c, complexToComplex = 0x29 };
    enum Status : int { success = 0, allocFailed = 2 };
    enum Direction : int { forward = -1, inverse = 1 };

    int (*create)(int* plan) = nullptr;
    int (*destroy)(int plan) = nullptr;
    int (*setAutoAllocation)(int plan, int isOn) = nullptr;
    int (*makePlanMany)(int plan, int rank, int* lengths, int* inEmbed, int inStride, int inDistance, int* outEmbed,
                        int outStride, int outDistance, int type, int batch, std::size_t* workBytes) = nullptr;
    int (*setWorkArea)(int plan, void* area) = nullptr;
    int (*setStream)(int plan, cudaStream_t stream) = nullptr;
    int (*runComplexToComplex)(int plan, float2* in, float2* out, int direction) = nullptr;
    int (*runRealToComplex)(int plan, float* in, float2* out) = nullptr;
    int (*runComplexToReal)(int plan, float2* in, float* out) = nullptr;
};

// Returns why cuFFT can't be used; nothing if it can. The first call loads the library.
std::optional<std::string> cufftProblem();
const CufftFunctions& cufftFunctions(); // throws Error(device) if there is a problem

} // namespace engine::cuda
