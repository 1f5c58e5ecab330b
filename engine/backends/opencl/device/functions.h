// SPDX-License-Identifier: GPL-3.0-or-later
// Functions of OpenCL 1.2. Its loader is opened when a device is asked for first: the programs start without it.
#pragma once

#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

namespace engine::opencl
{

#define SINOSCOPE_OPENCL_FUNCTIONS(F)                                                                                  \
    F(clGetPlatformIDs)                                                                                                \
    F(clGetPlatformInfo)                                                                                               \
    F(clGetDeviceIDs)                                                                                                  \
    F(clGetDeviceInfo)                                                                                                 \
    F(clCreateContext)                                                                                                 \
    F(clReleaseContext)                                                                                                \
    F(clCreateCommandQueue)                                                                                            \
    F(clReleaseCommandQueue)                                                                                           \
    F(clCreateBuffer)                                                                                                  \
    F(clCreateImage)                                                                                                   \
    F(clReleaseMemObject)                                                                                              \
    F(clCreateProgramWithSource)                                                                                       \
    F(clCreateProgramWithBinary)                                                                                       \
    F(clBuildProgram)                                                                                                  \
    F(clGetProgramInfo)                                                                                                \
    F(clGetProgramBuildInfo)                                                                                           \
    F(clReleaseProgram)                                                                                                \
    F(clCreateKernel)                                                                                                  \
    F(clReleaseKernel)                                                                                                 \
    F(clSetKernelArg)                                                                                                  \
    F(clEnqueueNDRangeKernel)                                                                                          \
    F(clEnqueueReadBuffer)                                                                                             \
    F(clEnqueueWriteBuffer)                                                                                            \
    F(clEnqueueMapBuffer)                                                                                              \
    F(clEnqueueUnmapMemObject)                                                                                         \
    F(clEnqueueFillBuffer)                                                                                             \
    F(clEnqueueCopyBufferToImage)                                                                                      \
    F(clReleaseEvent)                                                                                                  \
    F(clGetEventProfilingInfo)                                                                                         \
    F(clWaitForEvents)                                                                                                 \
    F(clFlush)                                                                                                         \
    F(clFinish)

struct Functions {
#define SINOSCOPE_OPENCL_MEMBER(name) decltype(&::name) name = nullptr;
    SINOSCOPE_OPENCL_FUNCTIONS(SINOSCOPE_OPENCL_MEMBER)
#undef SINOSCOPE_OPENCL_MEMBER
};

// Throws Error(device) if the loader (libOpenCL.so.1) is missing, or too old to have all of them.
const Functions& functions();

} // namespace engine::opencl
