// SPDX-License-Identifier: GPL-3.0-or-later
// Which kernel a method launches on an OpenCL device, and the definitions with which it is compiled.
#pragma once

#include "engine/backends/opencl/device/devices.h"
#include "engine/request/setting.h"

#include <optional>
#include <string>

namespace engine::opencl
{

enum class ParallelMethod { standard, texture, alu, hybrid };

// How a kernel gets the rays: as floats in blocks that constant memory holds, with a launch for each block; as floats
// in global memory; in fixed point in global memory; or as the last two.
enum class RayInput { constantFloats, floats, fixedPoint, both };

// Groups of 256 threads, each with a tile of so many pixels.
struct KernelChoice {
    std::string source, options;
    std::string passOptions; // of the kernels in pass.cl
    const char* name = "";
    int tileColumns = 16, tileRows = 16;
    bool readsImage = false, readsBuffer = false;
    RayInput rays = RayInput::constantFloats;
    int localBytes = 0; // of local memory per group; 0: no more than every device has
    bool isSplittable = true;
};

// Returns a definition for the compiler: " -DNAME=VALUE".
std::string definition(const char* name, int value);

// Returns the options of the kernels in pass.cl, with which those of every other program begin.
std::string passOptions(int slices, int channels, Precision precision);

// Returns whether the kernel reads the sinograms as an image. coarse: pixels are more than a bin apart.
bool readsImage(ParallelMethod method, const engine::Kernel& kernel, bool coarse);

// channels: of the image, or of the buffer's bins. The kernel's variant is one of the method, or empty; coarse grids
// ignore it.
KernelChoice chosenKernel(ParallelMethod method, const engine::Kernel& kernel, int channels, bool coarse,
                          const Device& device);

// Returns why `alu-opencl` can't do the kernel: its local memory doesn't fit the device, or its variant doesn't exist
// for these settings or is the default there.
std::optional<std::string> aluProblem(const engine::Kernel& kernel, const Device& device);

} // namespace engine::opencl
