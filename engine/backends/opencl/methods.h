// SPDX-License-Identifier: GPL-3.0-or-later
// Methods for OpenCL devices. A build without OpenCL has them too; there each reports why it can't be used.
#pragma once

#include "engine/backends/method.h"
#include "engine/backends/unit_rates.h"

#include <vector>

namespace engine::opencl
{

std::vector<Method> parallelMethods(); // opencl_methods.cpp
std::vector<Method> coneMethods();     // cone_methods.cpp

// Returns whether the device filters what it back-projects: GPUs do, and other devices that were asked to. Coarse
// previews are made from filtered sinograms, so these come from the processor.
bool filtersOnDevice(const Request& request, const Machine& machine);

// The limits of the kernels, as Backend::limitsOf; opencl_limits.cpp
std::vector<Limit> limitsOf(const KernelWork& work, const DeviceRates& device);

} // namespace engine::opencl
