// SPDX-License-Identifier: GPL-3.0-or-later
// A device with a context, its compiled programs, and the formats of images that it reads rightly.
#pragma once

#include "engine/backends/opencl/device/devices.h"
#include "engine/backends/opencl/device/objects.h"
#include "engine/backends/opencl/device/program.h"

#include <map>
#include <string>
#include <utility>

namespace engine::opencl
{

// An image of floats or halves, or an array of such images. Empty by default.
class Image
{
  public:
    struct Shape {
        int channels = 1; // numbers per texel: 1, 2 or 4
        bool half = false;
        int width = 0, height = 0;
        int layers = 0; // images of an array; 0: a single image
    };

    cl_mem get() const { return m_memory.get(); }
    // Makes a new image unless this one has the shape, or an array with more layers. Its contents are lost.
    void reserve(cl_context context, const Shape& shape);
    // Enqueues the copy of a buffer with the values of all texels, of the first layers. Returns the event of its end.
    Event fill(cl_command_queue queue, cl_mem buffer, int layers = 1) const;

  private:
    Memory m_memory;
    Shape m_shape;
};

// For one thread at a time. Everything throws Error(device, noMemory).
class OpenedDevice
{
  public:
    explicit OpenedDevice(int index);

    const Device& facts() const { return m_facts; }
    cl_context context() const { return m_context.get(); }
    Queue makeQueue() const;

    // Compiles a program, or takes it from the cache of compiled programs.
    Program compile(const ProgramText& text);

    // Returns a kernel of a program, which is compiled when it is first asked for. The kernel's owner is this object.
    cl_kernel kernel(const std::string& source, const std::string& options, const char* name);

    // Returns the seconds that compilation has taken so far. Drivers that compile at the first launch: see
    // addCompilation.
    double compileSeconds() const { return m_compileSeconds; }
    void addCompilation(double seconds) { m_compileSeconds += seconds; }

    // Returns the smallest number of channels, 1, 2 or 4, of images that hold `values` numbers and that this device
    // reads and interpolates rightly. Throws Error(device) if there is none: drivers list formats that they read
    // wrongly, so that each format is tried out with four texels.
    int channelsFor(int values, bool half);

  private:
    bool isReadRightly(int channels, bool half);

    const Device& m_facts;
    cl_device_id m_device;
    Context m_context;
    std::map<std::pair<std::string, std::string>, Program> m_programs; // by source and options
    std::map<std::pair<const Program*, std::string>, Kernel> m_kernels;
    std::map<std::pair<int, bool>, bool> m_formats; // by channels and half
    double m_compileSeconds = 0;
};

} // namespace engine::opencl
