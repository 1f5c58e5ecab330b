// SPDX-License-Identifier: GPL-3.0-or-later
// Sources of the OpenCL kernels, which CMake takes from the files *.cl.
#pragma once

namespace engine::opencl
{

extern const char *const commonSource,
    *const passSource, *const textureSource, *const textureStepsSource, *const aluSource, *const hybridSource;

} // namespace engine::opencl
