// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/unit_rates.h"

#include <algorithm>

namespace engine
{

double DeviceRates::of(const std::string& key) const
{
    const auto found = std::ranges::find(units, key, &UnitRate::key);
    return found == units.end() ? 0 : found->perSecond;
}

std::vector<Limit> lowestFirst(std::initializer_list<UnitUse> units)
{
    std::vector<Limit> limits;
    for (const UnitUse& unit : units)
        if (unit.perSecond > 0 && unit.perUpdate > 0)
            limits.push_back({unit.unit, 1e-9 * unit.perSecond / unit.perUpdate, unit.perUpdate});
    std::ranges::sort(limits, {}, &Limit::gups);
    return limits;
}

int samplesOf(Interpolation interpolation)
{
    return interpolation == Interpolation::cubic ? 4 : interpolation == Interpolation::linear ? 2 : 1;
}

double cachedBytesOf(const Kernel& kernel)
{
    const bool isPlain =
        kernel.interpolation == Interpolation::linear || kernel.interpolation == Interpolation::nearest;
    const bool areHalves = kernel.precision == Precision::half && kernel.slicesPerPass == 4 && isPlain;
    return samplesOf(kernel.interpolation) * (areHalves ? 2.0 : 4.0);
}

} // namespace engine
