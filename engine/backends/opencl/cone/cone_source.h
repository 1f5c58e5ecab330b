// SPDX-License-Identifier: GPL-3.0-or-later
// Source of the OpenCL kernels for cone beams, which CMake takes from cone.cl.
#pragma once

namespace engine::opencl
{

extern const char* const coneSource;

} // namespace engine::opencl
