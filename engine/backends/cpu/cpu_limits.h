// SPDX-License-Identifier: GPL-3.0-or-later
// Rates of the processor's units, and the limits of its kernels.
#pragma once

#include "engine/backends/unit_rates.h"

#include <vector>

namespace engine::cpu
{

DeviceRates ratesOf(const KernelWork& work); // as Backend::ratesOf; takes about 70 ms
std::vector<Limit> limitsOf(const KernelWork& work, const DeviceRates& core);

} // namespace engine::cpu
