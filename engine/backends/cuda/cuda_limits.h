// SPDX-License-Identifier: GPL-3.0-or-later
// The limits of the kernels on NVIDIA GPUs.
#pragma once

#include "engine/backends/unit_rates.h"

#include <vector>

namespace engine::cuda
{

std::vector<Limit> limitsOf(const KernelWork& work, const DeviceRates& gpu); // as Backend::limitsOf

} // namespace engine::cuda
