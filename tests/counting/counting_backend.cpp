// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/counting/counting_backend.h"

#include "engine/backends/parallel/limits.h"

#include <array>
#include <atomic>

namespace engine
{

// In place of engine/backends/list.cpp.
std::span<const Backend* const> backends()
{
    static const Backend* const list[] = {&cpuBackend, &cudaBackend, &openClBackend, &fixtures::countingBackend};
    return list;
}

} // namespace engine

namespace fixtures
{

namespace
{

using namespace engine;

std::array<std::atomic<int>, 2> launches;

class CountingSession : public DeviceSession
{
  public:
    explicit CountingSession(int device) : m_device(device), m_processor(cpuBackend.open(0)) {}

    LaunchReport run(const Method& method, const LaunchArguments& arguments) override
    {
        ++launches.at(static_cast<std::size_t>(m_device));
        Method processors = method;
        processors.id = "cpu";
        return m_processor->run(processors, arguments);
    }

  private:
    const int m_device;
    const std::unique_ptr<DeviceSession> m_processor;
};

// Returns the processor's methods `cpu`, with fewer slice modes.
std::vector<Method> countingMethods()
{
    std::vector<Method> methods;
    for (const Method& method : cpuBackend.methods())
        if (method.id == std::string("cpu")) {
            Method& mine = methods.emplace_back(method);
            mine.id = "counting";
            mine.label = "Counting";
            mine.slicesPerPass = {1};
            mine.variants = nullptr;
            mine.unsupported = [](const Request& request, const Machine&) {
                return kernelLimits("counting", std::array{1}, request);
            };
        }
    return methods;
}

Devices countingDevices()
{
    Devices found;
    for (int index = 0; index < 3; ++index) {
        Device& device = found.devices.emplace_back();
        device.index = index;
        device.name = "Counter " + std::to_string(index);
        device.isGpu = false;
    }
    found.devices.back().unusable = "it can't count";
    return found;
}

} // namespace

int countedLaunches(int device)
{
    return launches.at(static_cast<std::size_t>(device));
}

const Backend countingBackend = {
    .id = "counting",
    .deviceLabel = "counting device",
    .aDevice = "a counting device",
    .about = "The processor, and counts",
    .methods = countingMethods,
    .devices = []() -> const Devices& {
        static const Devices devices = countingDevices();
        return devices;
    },
    .open = [](int device) -> std::unique_ptr<DeviceSession> { return std::make_unique<CountingSession>(device); },
    .ratesOf =
        [](const KernelWork& work) {
            return DeviceRates{toText(work.device), {{"counts", "counts", 1e15}}};
        },
    .limitsOf =
        [](const KernelWork&, const DeviceRates& rates) {
            return lowestFirst({{"counters", rates.of("counts"), 1}});
        },
    .ratesKey = "countingPeaks",
};

} // namespace fixtures
