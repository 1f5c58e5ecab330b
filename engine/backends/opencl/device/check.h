// SPDX-License-Identifier: GPL-3.0-or-later
// Conversion of failed OpenCL calls to engine::Error.
#pragma once

#include "engine/backends/opencl/device/functions.h"

namespace engine::opencl
{

// Throws Error(noMemory) if the memory of the device or of the host is exhausted, Error(device) for other failures.
// what: the function's name.
void check(cl_int status, const char* what);

} // namespace engine::opencl
