// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/opencl/device/check.h"

#include "engine/base/error.h"

#include <string>

namespace engine::opencl
{

void check(cl_int status, const char* what)
{
    if (status == CL_SUCCESS)
        return;
    if (status == CL_MEM_OBJECT_ALLOCATION_FAILURE || status == CL_OUT_OF_RESOURCES ||
        status == CL_INVALID_BUFFER_SIZE || status == CL_INVALID_IMAGE_SIZE)
        throw Error(ErrorKind::noMemory, std::string("the OpenCL device has too little memory or registers (") + what +
                                             ", error " + std::to_string(status) + ")");
    if (status == CL_OUT_OF_HOST_MEMORY)
        throw Error(ErrorKind::noMemory, std::string("OpenCL has too little memory of the machine (") + what + ")");
    throw Error(ErrorKind::device, std::string("OpenCL failed: ") + what + " returned error " + std::to_string(status));
}

} // namespace engine::opencl
