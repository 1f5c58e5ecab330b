// SPDX-License-Identifier: GPL-3.0-or-later
// The limits of the kernels on OpenCL devices.
#pragma once

#include "engine/backends/unit_rates.h"

#include <vector>

namespace engine::opencl
{

std::vector<Limit> limitsOf(const KernelWork& work, const DeviceRates& device); // as Backend::limitsOf

} // namespace engine::opencl
