// SPDX-License-Identifier: GPL-3.0-or-later
// Methods for NVIDIA GPUs. A build without CUDA has them too; there each reports why it can't be used.
#pragma once

#include "engine/backends/method.h"
#include "engine/backends/unit_rates.h"

#include <vector>

namespace engine::cuda
{

std::vector<Method> parallelMethods(); // cuda_methods.cpp
std::vector<Method> coneMethods();     // cone_methods.cpp

// Whether this build has code for compute capability 8.0 or newer. Code for older ones has no tensor kernels, and a
// newer GPU would run it, if a build has no other. True in a build without CUDA, which has no device to ask for.
bool isTensorBuilt();

// The limits of the kernels, as Backend::limitsOf; cuda_limits.cpp
std::vector<Limit> limitsOf(const KernelWork& work, const DeviceRates& gpu);

} // namespace engine::cuda
