// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/cuda/filter/cufft_functions.h"

#include "engine/base/error.h"
#include "engine/base/runtime_library.h"

namespace engine::cuda
{

namespace
{

struct LoadedCufft {
    CufftFunctions functions;
    std::optional<std::string> problem;

    LoadedCufft()
    {
        // Of CUDA 13, 12 and 11
        const RuntimeLibrary library({"libcufft.so.12", "libcufft.so.11", "libcufft.so.10"});
        if (!library) {
            problem = "cuFFT (libcufft.so.12, .11 or .10) was not found; it is a part of NVIDIA's CUDA toolkit, whose "
                      "folder of libraries LD_LIBRARY_PATH can name";
            return;
        }
        const auto find = [&](auto& function, const char* name) {
            if (!library.find(function, name))
                problem = std::string("the installed cuFFT has no function ") + name;
        };
        find(functions.create, "cufftCreate");
        find(functions.destroy, "cufftDestroy");
        find(functions.setAutoAllocation, "cufftSetAutoAllocation");
        find(functions.makePlanMany, "cufftMakePlanMany");
        find(functions.setWorkArea, "cufftSetWorkArea");
        find(functions.setStream, "cufftSetStream");
        find(functions.runComplexToComplex, "cufftExecC2C");
        find(functions.runRealToComplex, "cufftExecR2C");
        find(functions.runComplexToReal, "cufftExecC2R");
    }
};

const LoadedCufft& loadedCufft()
{
    static const LoadedCufft loaded;
    return loaded;
}

} // namespace

std::optional<std::string> cufftProblem()
{
    return loadedCufft().problem;
}

const CufftFunctions& cufftFunctions()
{
    if (const auto problem = cufftProblem())
        throw Error(ErrorKind::device, *problem);
    return loadedCufft().functions;
}

} // namespace engine::cuda
