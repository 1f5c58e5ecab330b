// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/opencl/device/objects.h"

#include <algorithm>

namespace engine::opencl
{

void Buffer::reserve(cl_context context, std::size_t bytes)
{
    if (bytes <= m_bytes)
        return;
    m_memory = Memory(); // frees first: the old and the new memory need not fit together
    m_bytes = 0;
    cl_int status = CL_SUCCESS;
    m_memory = Memory(functions().clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, nullptr, &status));
    check(status, "clCreateBuffer");
    m_bytes = bytes;
}

void zero(cl_command_queue queue, const Buffer& buffer, const std::vector<cl_event>& after)
{
    const cl_uint none = 0;
    cl_event event = nullptr;
    check(functions().clEnqueueFillBuffer(queue, buffer.get(), &none, sizeof(none), 0, buffer.bytes(),
                                          static_cast<cl_uint>(after.size()), after.empty() ? nullptr : after.data(),
                                          &event),
          "clEnqueueFillBuffer");
    const Event zeroed(event);
}

Queue makeQueue(cl_context context, cl_device_id device)
{
    cl_int status = CL_SUCCESS;
    Queue queue(functions().clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &status));
    check(status, "clCreateCommandQueue");
    return queue;
}

Event enqueue(cl_command_queue queue, cl_kernel kernel, const Groups& groups, std::size_t threads,
              const std::vector<cl_event>& after)
{
    const std::size_t all[3] = {groups.across * threads, groups.down, groups.deep}, one[3] = {threads, 1, 1};
    cl_event event = nullptr;
    check(functions().clEnqueueNDRangeKernel(queue, kernel, 3, nullptr, all, one, static_cast<cl_uint>(after.size()),
                                             after.empty() ? nullptr : after.data(), &event),
          "clEnqueueNDRangeKernel");
    return Event(event);
}

void wait(const Event& event)
{
    const cl_event one = event.get();
    if (one)
        check(functions().clWaitForEvents(1, &one), "clWaitForEvents");
}

double secondsBetween(const Event& first, const Event& last)
{
    cl_ulong begin = 0, end = 0;
    check(functions().clGetEventProfilingInfo(first.get(), CL_PROFILING_COMMAND_START, sizeof(begin), &begin, nullptr),
          "clGetEventProfilingInfo");
    check(functions().clGetEventProfilingInfo(last.get(), CL_PROFILING_COMMAND_END, sizeof(end), &end, nullptr),
          "clGetEventProfilingInfo");
    return end > begin ? 1e-9 * static_cast<double>(end - begin) : 0;
}

} // namespace engine::opencl
