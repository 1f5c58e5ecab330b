// SPDX-License-Identifier: GPL-3.0-or-later
// Compilation of kernels at run time, and a cache of compiled programs.
#pragma once

#include "engine/backends/opencl/device/objects.h"

#include <filesystem>
#include <string>

namespace engine::opencl
{

struct ProgramText {
    std::string source;
    std::string options; // "-DSLICES=2"
};

// Compiles for one device, or takes what was compiled before for the same device, driver, source and options. A file of
// the cache that can't be used is replaced. folder: of the cache; empty: none. Throws Error(device) with the compiler's
// first error, or if the compiler doesn't end within 120 s (secondsAllowed).
Program compiled(cl_context context, int deviceIndex, const ProgramText& text, const std::filesystem::path& folder);

std::filesystem::path programFolder(); // in the cache folder of the program

// Returns a kernel of the program by its name.
Kernel kernelOf(const Program& program, const char* name);

} // namespace engine::opencl
