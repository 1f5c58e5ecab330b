// SPDX-License-Identifier: GPL-3.0-or-later
// Which kernel a method launches on an OpenCL device, and the definitions with which it is compiled.
#pragma once

#include "engine/opencl/devices.h"
#include "engine/request/setting.h"

#include <string>

namespace engine::opencl
{

enum class ParallelMethod { standard, texture, alu, hybrid };

// Groups of 256 threads, each with a tile of so many pixels.
struct KernelChoice {
    std::string source, options;
    std::string passOptions; // of the kernels in pass.cl
    const char* name = "";
    int tileColumns = 16, tileRows = 16;
    bool readsImage = false, readsBuffer = false;
    bool isSplittable = true;
};

// Returns a definition for the compiler: " -DNAME=VALUE".
std::string definition(const char* name, int value);

// Returns the options of the kernels in pass.cl, with which those of every other program begin.
std::string passOptions(int slices, int channels, Precision precision);

// channels: of the image, or of the buffer's bins. coarse: pixels are more than a bin apart.
KernelChoice chosenKernel(ParallelMethod method, const engine::Kernel& kernel, int channels, bool coarse,
                          const OpenClDevice& device);

} // namespace engine::opencl
