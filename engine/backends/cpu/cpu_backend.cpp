// SPDX-License-Identifier: GPL-3.0-or-later
// The processor as a backend. Its launches keep nothing.
#include "engine/backends/backend.h"
#include "engine/backends/cpu/cpu_limits.h"
#include "engine/backends/cpu/parallel/launches.h"
#include "engine/base/machine.h"

#include <algorithm>
#include <iterator>

namespace engine
{

namespace
{

struct CpuRow {
    const Method* method;
    LaunchReport (*launch)(const LaunchArguments&);
    LaunchReport (*launchPlane)(const LaunchArguments&);
};

constexpr CpuRow cpuRows[] = {
    {&exactMethod, launchExact, launchExactPlane},   {&doubleMethod, launchDouble, launchExactPlane},
    {&cpuMethod, launchCpu, launchCpuPlane},         {&exactConeMethod, launchExactCone, launchExactPlane},
    {&cpuConeMethod, launchCpuCone, launchCpuPlane}, {&ladderMethod, launchLadder, nullptr},
};

std::vector<Method> cpuMethods()
{
    std::vector<Method> all;
    for (const CpuRow& row : cpuRows)
        all.push_back(*row.method);
    return all;
}

const Devices& processorAsDevice()
{
    static const Devices one = [] {
        Devices made;
        Device& processor = made.devices.emplace_back();
        processor.name = processorName();
        processor.isGpu = false;
        return made;
    }();
    return one;
}

class CpuSession : public DeviceSession
{
  public:
    LaunchReport run(const Method& method, const LaunchArguments& arguments) override
    {
        const auto* row = std::ranges::find_if(cpuRows, [&](const CpuRow& one) {
            return one.method->id == method.id && one.method->takes == method.takes;
        });
        return (arguments.plane ? row->launchPlane : row->launch)(arguments);
    }
};

} // namespace

const Backend cpuBackend = {
    .id = "cpu",
    .deviceLabel = "processor",
    .aDevice = "the processor",
    .isProcessor = true,
    .isAutomatic = true,
    .methods = cpuMethods,
    .devices = processorAsDevice,
    .open = [](int) -> std::unique_ptr<DeviceSession> { return std::make_unique<CpuSession>(); },
    .ratesOf = cpu::ratesOf,
    .limitsOf = cpu::limitsOf,
    .ratesKey = "processorPeaks",
};

} // namespace engine
