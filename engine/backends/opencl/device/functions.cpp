// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/opencl/device/functions.h"

#include "engine/base/error.h"
#include "engine/base/runtime_library.h"

#include <string>

namespace engine::opencl
{

namespace
{

constexpr const char* loaderName = "libOpenCL.so.1";

struct Loader {
    Functions functions;
    std::string problem;
};

Loader load()
{
    Loader loader;
    const RuntimeLibrary library({loaderName});
    if (!library) {
        loader.problem = std::string("the OpenCL loader ") + loaderName +
                         " is not installed (Debian and Ubuntu: ocl-icd-libopencl1, and the driver of the device)";
        return loader;
    }
    const auto find = [&](auto& function, const char* name) {
        if (!library.find(function, name))
            loader.problem = std::string("the OpenCL loader ") + loaderName + " has no function " + name +
                             "; OpenCL 1.2 or newer is needed";
    };
#define SINOSCOPE_OPENCL_FIND(name) find(loader.functions.name, #name);
    SINOSCOPE_OPENCL_FUNCTIONS(SINOSCOPE_OPENCL_FIND)
#undef SINOSCOPE_OPENCL_FIND
    return loader;
}

} // namespace

const Functions& functions()
{
    static const Loader loader = load();
    if (!loader.problem.empty())
        throw Error(ErrorKind::device, loader.problem);
    return loader.functions;
}

} // namespace engine::opencl
