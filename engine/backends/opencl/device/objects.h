// SPDX-License-Identifier: GPL-3.0-or-later
// Owners of OpenCL's objects.
#pragma once

#include "engine/backends/opencl/device/check.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace engine::opencl
{

// Owner of one object. Movable, not copyable; empty by default.
template <typename Object, auto release>
class Owner
{
  public:
    Owner() = default;
    explicit Owner(Object object) : m_object(object) {}
    ~Owner()
    {
        if (m_object)
            (functions().*release)(m_object);
    }
    Owner(Owner&& other) noexcept : m_object(std::exchange(other.m_object, nullptr)) {}
    Owner& operator=(Owner&& other) noexcept
    {
        std::swap(m_object, other.m_object);
        return *this;
    }
    Object get() const { return m_object; }
    explicit operator bool() const { return m_object != nullptr; }

  private:
    Object m_object = nullptr;
};

using Context = Owner<cl_context, &Functions::clReleaseContext>;
using Queue = Owner<cl_command_queue, &Functions::clReleaseCommandQueue>;
using Memory = Owner<cl_mem, &Functions::clReleaseMemObject>;
using Program = Owner<cl_program, &Functions::clReleaseProgram>;
using Kernel = Owner<cl_kernel, &Functions::clReleaseKernel>;
using Event = Owner<cl_event, &Functions::clReleaseEvent>;

// Memory of a device. Empty by default.
class Buffer
{
  public:
    cl_mem get() const { return m_memory.get(); }
    std::size_t bytes() const { return m_bytes; }

    // Enlarges the buffer if it is too small; its contents are lost.
    void reserve(cl_context context, std::size_t bytes);

  private:
    Memory m_memory;
    std::size_t m_bytes = 0;
};

// Enqueues that a buffer of numbers of four bytes becomes 0, once some events have happened.
void zero(cl_command_queue queue, const Buffer& buffer, const std::vector<cl_event>& after = {});

// A queue that carries out its commands in order and notes their times.
Queue makeQueue(cl_context context, cl_device_id device);

// Sets the arguments of a kernel in their order: numbers, and objects by their handles.
template <typename... Arguments>
void setArguments(cl_kernel kernel, const Arguments&... arguments)
{
    cl_uint index = 0;
    (check(functions().clSetKernelArg(kernel, index++, sizeof(arguments), &arguments), "clSetKernelArg"), ...);
}

// Enqueues groups of threads. Returns the event of their end.
struct Groups {
    std::size_t across = 1, down = 1, deep = 1;
};
Event enqueue(cl_command_queue queue, cl_kernel kernel, const Groups& groups, std::size_t threads,
              const std::vector<cl_event>& after = {});

// Waits for the event. Throws if the command has failed.
void wait(const Event& event);

// Returns the seconds from the start of the first command to the end of the last one, both of which have ended.
double secondsBetween(const Event& first, const Event& last);

} // namespace engine::opencl
