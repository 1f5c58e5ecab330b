// SPDX-License-Identifier: GPL-3.0-or-later
// A device with a context, its compiled programs, and the formats of images that it reads rightly.
#pragma once

#include "engine/opencl/devices.h"
#include "engine/opencl/objects.h"

#include <map>
#include <string>
#include <utility>

namespace engine::opencl
{

// An image with values of `channels` floats or halves. Empty by default.
class Image
{
  public:
    Image() = default;
    Image(cl_context context, int channels, bool half, int width, int height);
    cl_mem get() const { return m_memory.get(); }
    bool fits(int channels, bool half, int width, int height) const;

  private:
    Memory m_memory;
    int m_channels = 0, m_width = 0, m_height = 0;
    bool m_half = false;
};

// For one thread at a time. Everything throws Error(device, noMemory).
class OpenedDevice
{
  public:
    explicit OpenedDevice(int index);

    const OpenClDevice& facts() const { return m_facts; }
    cl_context context() const { return m_context.get(); }
    Queue makeQueue() const;

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

    const OpenClDevice& m_facts;
    cl_device_id m_device;
    Context m_context;
    std::map<std::pair<std::string, std::string>, Program> m_programs; // by source and options
    std::map<std::pair<const Program*, std::string>, Kernel> m_kernels;
    std::map<std::pair<int, bool>, bool> m_formats; // by channels and half
    double m_compileSeconds = 0;
};

} // namespace engine::opencl
