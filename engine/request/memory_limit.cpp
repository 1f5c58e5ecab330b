// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/request/memory_limit.h"

#include "engine/base/machine.h"
#include "engine/base/number_text.h"

#include <cmath>

namespace engine
{

double memoryLimitOf(const Resources& resources)
{
    return resources.memoryLimitBytes > 0 ? resources.memoryLimitBytes : machineMemoryBytes() / 2;
}

double memoryLeftOf(const Resources& resources)
{
    return memoryLimitOf(resources) - resources.memoryInUseBytes;
}

std::string memoryLimitText(const Resources& resources)
{
    const double bytes = memoryLimitOf(resources);
    const std::string given = bytesToText(bytes);
    return sizeText(bytes) + (resources.memoryLimitBytes > 0 && given.ends_with("iB") ? " (" + given + ")" : "");
}

std::string sizeAtLeast(double bytes)
{
    const double step = std::pow(10.0, std::floor(std::log10(bytes)) - 2);
    return sizeText(std::ceil(bytes / step) * step);
}

} // namespace engine
