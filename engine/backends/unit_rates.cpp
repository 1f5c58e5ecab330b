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

UnitRate fetchRate(int channels, bool half, bool nearest, double perSecond)
{
    return {"fetches",
            std::string(nearest ? "nearest" : "linear") + " fetches of " + std::to_string(channels) +
                (half ? " half" : " float"),
            perSecond,
            channels,
            half,
            nearest};
}

double fetchesOf(const DeviceRates& rates, int values, bool half, bool nearest)
{
    for (const UnitRate& one : rates.units) // in the order of their channels
        if (one.channels >= values && one.half == half && one.nearest == nearest)
            return one.perSecond;
    return 0;
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
