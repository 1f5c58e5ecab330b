// SPDX-License-Identifier: GPL-3.0-or-later
// Source of the OpenCL filter's kernels, which CMake takes from filter.cl.
#pragma once

namespace engine::opencl
{

extern const char* const filterSource;

} // namespace engine::opencl
