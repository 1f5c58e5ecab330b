// SPDX-License-Identifier: GPL-3.0-or-later
// A loader of OpenCL with one device that fails as the environment variable SINOSCOPE_STUB says: the tests put it in
// place of the system's (LD_LIBRARY_PATH). Nothing is ever computed.
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>

namespace
{

bool is(const char* behaviour)
{
    const char* wanted = std::getenv("SINOSCOPE_STUB");
    return wanted && std::strcmp(wanted, behaviour) == 0;
}

int object; // stands for every object

template <typename Handle>
Handle handle()
{
    return reinterpret_cast<Handle>(&object);
}

cl_int answer(const void* value, size_t bytes, size_t room, void* to, size_t* needed)
{
    if (needed)
        *needed = bytes;
    if (to && room >= bytes)
        std::memcpy(to, value, bytes);
    return CL_SUCCESS;
}

cl_int answerText(const char* text, size_t room, void* to, size_t* needed)
{
    return answer(text, std::strlen(text) + 1, room, to, needed);
}

} // namespace

extern "C" {

cl_int clGetPlatformIDs(cl_uint room, cl_platform_id* platforms, cl_uint* count)
{
    if (is("hanging drivers"))
        sleep(1000);
    if (count)
        *count = is("no platform") ? 0 : 1;
    if (platforms && room > 0)
        *platforms = handle<cl_platform_id>();
    return CL_SUCCESS;
}

cl_int clGetPlatformInfo(cl_platform_id, cl_platform_info what, size_t room, void* to, size_t* needed)
{
    return answerText(what == CL_PLATFORM_NAME ? "Stub" : "OpenCL 1.2 Stub", room, to, needed);
}

cl_int clGetDeviceIDs(cl_platform_id, cl_device_type, cl_uint room, cl_device_id* devices, cl_uint* count)
{
    if (is("no device"))
        return CL_DEVICE_NOT_FOUND;
    if (count)
        *count = 1;
    if (devices && room > 0)
        *devices = handle<cl_device_id>();
    return CL_SUCCESS;
}

cl_int clGetDeviceInfo(cl_device_id, cl_device_info what, size_t room, void* to, size_t* needed)
{
    const auto number = [&](auto value) { return answer(&value, sizeof(value), room, to, needed); };
    switch (what) {
    case CL_DEVICE_NAME:
        return answerText("Stub GPU", room, to, needed);
    case CL_DRIVER_VERSION:
        return answerText("1", room, to, needed);
    case CL_DEVICE_TYPE:
        return number(cl_device_type{CL_DEVICE_TYPE_GPU});
    case CL_DEVICE_AVAILABLE:
    case CL_DEVICE_ENDIAN_LITTLE:
        return number(cl_bool{CL_TRUE});
    case CL_DEVICE_COMPILER_AVAILABLE:
        return number(is("no compiler") ? cl_bool{CL_FALSE} : cl_bool{CL_TRUE});
    case CL_DEVICE_IMAGE_SUPPORT:
        return number(is("no images") ? cl_bool{CL_FALSE} : cl_bool{CL_TRUE});
    case CL_DEVICE_MAX_WORK_GROUP_SIZE:
        return number(is("small groups") ? size_t{64} : size_t{256});
    case CL_DEVICE_IMAGE2D_MAX_WIDTH:
    case CL_DEVICE_IMAGE2D_MAX_HEIGHT:
    case CL_DEVICE_IMAGE_MAX_ARRAY_SIZE:
        return number(size_t{2048});
    case CL_DEVICE_GLOBAL_MEM_SIZE:
    case CL_DEVICE_MAX_MEM_ALLOC_SIZE:
    case CL_DEVICE_LOCAL_MEM_SIZE:
    case CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE:
        return number(cl_ulong{65536});
    case CL_DEVICE_MAX_COMPUTE_UNITS:
    case CL_DEVICE_MAX_CLOCK_FREQUENCY:
    case CL_DEVICE_VENDOR_ID:
        return number(cl_uint{4});
    case CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS:
        return number(cl_uint{3});
    case CL_DEVICE_MAX_WORK_ITEM_SIZES:
        if (is("no transforms"))
            return CL_INVALID_VALUE;
        return number(std::array<size_t, 3>{256, 256, 256});
    default:
        return CL_INVALID_VALUE;
    }
}

cl_context clCreateContext(const cl_context_properties*, cl_uint, const cl_device_id*,
                           void(CL_CALLBACK*)(const char*, const void*, size_t, void*), void*, cl_int* status)
{
    *status = CL_SUCCESS;
    return handle<cl_context>();
}
cl_command_queue clCreateCommandQueue(cl_context, cl_device_id, cl_command_queue_properties, cl_int* status)
{
    *status = CL_SUCCESS;
    return handle<cl_command_queue>();
}
cl_mem clCreateBuffer(cl_context, cl_mem_flags, size_t, void*, cl_int* status)
{
    *status = is("no memory") ? CL_MEM_OBJECT_ALLOCATION_FAILURE : CL_SUCCESS;
    return is("no memory") ? nullptr : handle<cl_mem>();
}
cl_mem clCreateImage(cl_context, cl_mem_flags, const cl_image_format*, const cl_image_desc*, void*, cl_int* status)
{
    *status = CL_IMAGE_FORMAT_NOT_SUPPORTED;
    return nullptr;
}
cl_program clCreateProgramWithSource(cl_context, cl_uint, const char**, const size_t*, cl_int* status)
{
    *status = CL_SUCCESS;
    return handle<cl_program>();
}
cl_program clCreateProgramWithBinary(cl_context, cl_uint, const cl_device_id*, const size_t*, const unsigned char**,
                                     cl_int*, cl_int* status)
{
    *status = CL_INVALID_BINARY;
    return nullptr;
}
cl_int clBuildProgram(cl_program, cl_uint, const cl_device_id*, const char*, void(CL_CALLBACK*)(cl_program, void*),
                      void*)
{
    if (is("hanging compiler"))
        sleep(1000);
    return CL_BUILD_PROGRAM_FAILURE;
}
cl_int clGetProgramInfo(cl_program, cl_program_info, size_t, void*, size_t*)
{
    return CL_INVALID_VALUE;
}
cl_int clGetProgramBuildInfo(cl_program, cl_device_id, cl_program_build_info, size_t room, void* to, size_t* needed)
{
    return answerText("kernel.cl:1:1: error: the stub compiles nothing", room, to, needed);
}
cl_kernel clCreateKernel(cl_program, const char*, cl_int* status)
{
    *status = CL_INVALID_PROGRAM_EXECUTABLE;
    return nullptr;
}
cl_int clReleaseContext(cl_context)
{
    return CL_SUCCESS;
}
cl_int clReleaseCommandQueue(cl_command_queue)
{
    return CL_SUCCESS;
}
cl_int clReleaseMemObject(cl_mem)
{
    return CL_SUCCESS;
}
cl_int clReleaseProgram(cl_program)
{
    return CL_SUCCESS;
}
cl_int clReleaseKernel(cl_kernel)
{
    return CL_SUCCESS;
}
cl_int clReleaseEvent(cl_event)
{
    return CL_SUCCESS;
}
cl_int clSetKernelArg(cl_kernel, cl_uint, size_t, const void*)
{
    return CL_SUCCESS;
}
cl_int clFlush(cl_command_queue)
{
    return CL_SUCCESS;
}
cl_int clFinish(cl_command_queue)
{
    return CL_SUCCESS;
}
cl_int clWaitForEvents(cl_uint, const cl_event*)
{
    return CL_SUCCESS;
}
cl_int clGetEventProfilingInfo(cl_event, cl_profiling_info, size_t, void*, size_t*)
{
    return CL_PROFILING_INFO_NOT_AVAILABLE;
}
cl_int clEnqueueNDRangeKernel(cl_command_queue, cl_kernel, cl_uint, const size_t*, const size_t*, const size_t*,
                              cl_uint, const cl_event*, cl_event*)
{
    return CL_OUT_OF_RESOURCES;
}
cl_int clEnqueueReadBuffer(cl_command_queue, cl_mem, cl_bool, size_t, size_t, void*, cl_uint, const cl_event*,
                           cl_event*)
{
    return CL_OUT_OF_RESOURCES;
}
cl_int clEnqueueWriteBuffer(cl_command_queue, cl_mem, cl_bool, size_t, size_t, const void*, cl_uint, const cl_event*,
                            cl_event* event)
{
    if (event)
        *event = nullptr;
    return CL_SUCCESS;
}
void* clEnqueueMapBuffer(cl_command_queue, cl_mem, cl_bool, cl_map_flags, size_t, size_t, cl_uint, const cl_event*,
                         cl_event*, cl_int* status)
{
    static char memory[8 << 20]; // nobody looks at what was copied
    *status = CL_SUCCESS;
    return memory;
}
cl_int clEnqueueUnmapMemObject(cl_command_queue, cl_mem, void*, cl_uint, const cl_event*, cl_event*)
{
    return CL_SUCCESS;
}
cl_int clEnqueueFillBuffer(cl_command_queue, cl_mem, const void*, size_t, size_t, size_t, cl_uint, const cl_event*,
                           cl_event* event)
{
    if (event)
        *event = nullptr;
    return CL_SUCCESS;
}
cl_int clEnqueueCopyBufferToImage(cl_command_queue, cl_mem, cl_mem, size_t, const size_t*, const size_t*, cl_uint,
                                  const cl_event*, cl_event*)
{
    return CL_OUT_OF_RESOURCES;
}

} // extern "C"
