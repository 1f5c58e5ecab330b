// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/opencl/device/row_transform.h"

#include "engine/backends/opencl/device/device_handles.h"
#include "engine/base/error.h"

#if SINOSCOPE_HAS_VKFFT
#include <cinttypes>
#include <clocale>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <list>
#include <string>
#include <utility>

namespace engine::opencl
{

namespace
{

// What VkFFT compiles for one transform. Its programs come from the cache of this program, and a compiler that hangs
// or refuses has the usual end.
struct Compilation {
    OpenedDevice& device;
    std::list<Program>& programs;
    std::exception_ptr error = {}; // of the compiler
};

thread_local Compilation* underWay = nullptr;

char* keepLocale(int, const char*)
{
    return nullptr;
}

cl_program programFor(const char* text, std::size_t characters, cl_int* status)
{
    *status = CL_SUCCESS;
    try {
        underWay->programs.push_back(underWay->device.compile({std::string(text, characters), "-w -cl-std=CL1.2"}));
        return underWay->programs.back().get();
    } catch (...) { // VkFFT is C
        underWay->error = std::current_exception();
        *status = CL_BUILD_PROGRAM_FAILURE;
        return nullptr;
    }
}

} // namespace

} // namespace engine::opencl

// VkFFT calls functions of OpenCL's loader, which this program opens at run time, changes the locale of the whole
// process, and prints errors.
#define VKFFT_BACKEND 3
#define clBuildProgram(program, ...) (static_cast<void>(program), CL_SUCCESS)
#define clReleaseProgram(program) (static_cast<void>(program), CL_SUCCESS)
#define clCreateProgramWithSource(context, count, text, characters, status)                                            \
    engine::opencl::programFor(*(text), *(characters), status)
#define clCreateProgramWithBinary(...) nullptr
#define clGetProgramBuildInfo(...) CL_SUCCESS
#define clGetProgramInfo(...) CL_SUCCESS
#define clCreateBuffer engine::opencl::functions().clCreateBuffer
#define clReleaseMemObject engine::opencl::functions().clReleaseMemObject
#define clCreateCommandQueue engine::opencl::functions().clCreateCommandQueue
#define clReleaseCommandQueue engine::opencl::functions().clReleaseCommandQueue
#define clCreateKernel engine::opencl::functions().clCreateKernel
#define clReleaseKernel engine::opencl::functions().clReleaseKernel
#define clSetKernelArg engine::opencl::functions().clSetKernelArg
#define clEnqueueNDRangeKernel engine::opencl::functions().clEnqueueNDRangeKernel
#define clEnqueueWriteBuffer engine::opencl::functions().clEnqueueWriteBuffer
#define clFinish engine::opencl::functions().clFinish
#define clGetDeviceInfo engine::opencl::functions().clGetDeviceInfo
#define setlocale engine::opencl::keepLocale
#define printf(...) static_cast<void>(0)
#include <vkFFT.h>
#undef clBuildProgram
#undef clReleaseProgram
#undef clCreateProgramWithSource
#undef clCreateProgramWithBinary
#undef clGetProgramBuildInfo
#undef clGetProgramInfo
#undef clCreateBuffer
#undef clReleaseMemObject
#undef clCreateCommandQueue
#undef clReleaseCommandQueue
#undef clCreateKernel
#undef clReleaseKernel
#undef clSetKernelArg
#undef clEnqueueNDRangeKernel
#undef clEnqueueWriteBuffer
#undef clFinish
#undef clGetDeviceInfo
#undef setlocale
#undef printf

namespace engine::opencl
{

namespace
{

// Numbers have a decimal point in this thread: VkFFT writes them into the sources of its kernels.
class PointLocale
{
  public:
    PointLocale() : m_own(newlocale(LC_ALL_MASK, "C", nullptr)), m_before(uselocale(m_own)) {}
    ~PointLocale()
    {
        uselocale(m_before);
        freelocale(m_own);
    }
    PointLocale(const PointLocale&) = delete;
    PointLocale& operator=(const PointLocale&) = delete;

  private:
    locale_t m_own, m_before;
};

} // namespace

struct RowTransform::Impl {
    Impl(OpenedDevice& device, int rowLength, int rowCount);
    ~Impl() { deleteVkFFT(&application); }

    void run(cl_command_queue queue, cl_mem values, int direction);

    OpenedDevice& device;
    const int length, rows;
    cl_device_id handle;
    cl_context context;
    std::uint64_t bytes;
    std::list<Program> programs;
    VkFFTApplication application{};

  private:
    [[noreturn]] void fail(int result) const;
};

RowTransform::Impl::Impl(OpenedDevice& opened, int rowLength, int rowCount)
    : device(opened), length(rowLength), rows(rowCount), handle(handleOf(opened.facts().index)),
      context(opened.context()), bytes(sizeof(cl_float2) * static_cast<std::uint64_t>(rowLength) * rowCount)
{
    VkFFTConfiguration configuration{};
    configuration.FFTdim = 1;
    configuration.size[0] = static_cast<std::uint64_t>(length);
    configuration.numberBatches = static_cast<std::uint64_t>(rows);
    configuration.device = &handle;
    configuration.context = &context;
    configuration.bufferSize = &bytes;
    configuration.useLUT = 1; // sines from a table: those of the device may be inaccurate
    const PointLocale locale;
    Compilation compilation{device, programs};
    underWay = &compilation;
    const VkFFTResult result = initializeVkFFT(&application, configuration);
    underWay = nullptr;
    if (compilation.error)
        std::rethrow_exception(compilation.error);
    if (result != VKFFT_SUCCESS)
        fail(result);
}

void RowTransform::Impl::fail(int result) const
{
    throw Error(ErrorKind::device, Text("the OpenCL device " + device.facts().name +
                                        " can't do Fourier transforms of length " + std::to_string(length) +
                                        " (VkFFT error " + std::to_string(result) + "); let the processor filter") +
                                       hint("filter-on", "processor"));
}

void RowTransform::Impl::run(cl_command_queue queue, cl_mem values, int direction)
{
    VkFFTLaunchParams parameters{};
    parameters.commandQueue = &queue;
    parameters.buffer = &values;
    if (const VkFFTResult result = VkFFTAppend(&application, direction, &parameters); result != VKFFT_SUCCESS)
        fail(result);
}

#else

namespace engine::opencl
{

struct RowTransform::Impl {
    Impl(OpenedDevice&, int, int)
    {
        throw Error(ErrorKind::device, "this program was built without VkFFT, which filters on OpenCL devices");
    }
    void run(cl_command_queue, cl_mem, int) {}

    int length = 0, rows = 0;
};

#endif

RowTransform::RowTransform(OpenedDevice& device, int length, int rows)
    : m_impl(std::make_unique<Impl>(device, length, rows))
{
}

RowTransform::~RowTransform() = default;

int RowTransform::length() const
{
    return m_impl->length;
}

int RowTransform::rows() const
{
    return m_impl->rows;
}

void RowTransform::forward(cl_command_queue queue, cl_mem values)
{
    m_impl->run(queue, values, -1);
}

void RowTransform::backward(cl_command_queue queue, cl_mem values)
{
    m_impl->run(queue, values, 1);
}

} // namespace engine::opencl
