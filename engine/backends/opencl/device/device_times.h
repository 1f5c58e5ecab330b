// SPDX-License-Identifier: GPL-3.0-or-later
// Times of a launch on an OpenCL device.
#pragma once

namespace engine::opencl
{

struct DeviceTimes {
    double filterSeconds = 0;  // of a filter on the device
    double kernelSeconds = 0;  // back-projection alone, from events
    double totalSeconds = 0;   // from host memory to host memory, without compilation
    double compileSeconds = 0; // of kernels that this device has not run before
};

} // namespace engine::opencl
