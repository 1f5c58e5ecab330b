// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/measure/limits.h"

#include "engine/backends/devices.h"
#include "engine/backends/instruction_sets.h"
#include "engine/backends/method.h"
#include "engine/base/error.h"
#include "engine/base/json_text.h"
#include "engine/measure/benchmark.h"
#include "engine/measure/resource_texts.h"
#include "engine/request/setting.h"

#include <algorithm>
#include <cmath>
#include <variant>

namespace engine
{

namespace
{

constexpr double mostlyBusy = 0.75; // share of a unit's rate from which the unit is said to limit the kernel

// Returns whether the remarks on the units of GPUs, or of the processor as such, fit the device.
bool isUsual(const DeviceSettings& settings)
{
    const Backend* backend = findBackend(settings.backend);
    const Device* device = backend ? deviceFor(*backend, settings) : nullptr;
    return !device || device->isGpu || backend->isProcessor;
}

} // namespace

KernelWork workOf(const BenchmarkRow& row)
{
    Kernel kernel;
    kernel.method = row.method;
    kernel.variant = row.variant;
    kernel.interpolation = row.interpolation;
    kernel.precision = row.precision;
    kernel.slicesPerPass = row.slicesPerPass;
    Resources named;
    setDevices(named, row.device);
    const DeviceSettings device = named.device;
    return {kernel, row.alpha > 0, device, row.instructionSet, row.threads, isUsual(device)};
}

KernelWork workOf(const Reconstruction& made)
{
    const Request& request = made.request;
    const Method* method = methodOf(made);
    KernelWork work;
    work.kernel = request.setting.kernel;
    work.kernel.method = made.method;
    work.isCone = request.scan && std::holds_alternative<ConeBeam>(request.scan->geometry);
    work.threads = request.resources.threads;
    if (!method)
        return work;
    work.device = deviceOf(*method, request.resources.device);
    work.isOnGpu = isUsual(work.device);
    if (method->backend->isProcessor) {
        work.instructionSet = instructionSetFor(*method, work.kernel);
        if (work.kernel.variant == work.instructionSet)
            work.kernel.variant.clear();
    }
    return work;
}

std::span<const DeviceRates> MachinePeaks::of(const Backend& backend) const
{
    const auto found = ofBackends.find(&backend);
    return found == ofBackends.end() ? std::span<const DeviceRates>() : found->second;
}

std::vector<Limit> limitsOf(const KernelWork& work, MachinePeaks& peaks)
{
    if (work.device.isAutomatic()) // of a method that isn't known
        return {};
    const Backend& backend = backendOf(work.device);
    if (!backend.ratesOf || !backend.limitsOf)
        return {};
    KernelWork known = work;
    if (backend.isProcessor && known.instructionSet.empty()) // of a method without a choice
        known.instructionSet = processorTarget();
    const std::string name = backend.isProcessor ? known.instructionSet : toText(work.device);
    std::vector<DeviceRates>& measured = peaks.ofBackends[&backend];
    auto rates = std::ranges::find(measured, name, &DeviceRates::name);
    if (rates == measured.end()) {
        DeviceRates made{name, {}};
        try {
            made = backend.ratesOf(known);
        } catch (const Error&) { // speeds are worth showing without limits
        }
        rates = measured.insert(measured.end(), std::move(made));
    }
    return backend.limitsOf(known, *rates);
}

MachinePeaks addLimits(std::vector<BenchmarkRow>& rows)
{
    MachinePeaks peaks;
    for (BenchmarkRow& row : rows) {
        row.limits = limitsOf(workOf(row), peaks);
        for (Limit& limit : row.limits) // of all devices together; they are taken to be alike
            limit.gups *= static_cast<double>(std::ranges::count(row.device, ',') + 1);
    }
    for (auto& [backend, rates] : peaks.ofBackends)
        std::erase_if(rates, [](const DeviceRates& one) { return one.units.empty(); });
    return peaks;
}

std::string limiterText(double gups, const std::vector<Limit>& limits)
{
    if (limits.empty())
        return {};
    return std::to_string(std::lround(100 * gups / limits.front().gups)) + " % of " + limits.front().unit;
}

std::string limiterSentence(double gups, const std::vector<Limit>& limits)
{
    if (limits.empty())
        return {};
    const Limit& lowest = limits.front();
    const double share = gups / lowest.gups;
    const std::string percent = std::to_string(std::lround(100 * share)) + " %";
    if (share >= mostlyBusy)
        return "Limited by " + lowest.unit + ": " + percent + " of the rate that this device has.";
    return "The kernel needs " + lowest.unit + " most, but uses only " + percent +
           " of the rate that this device has: waiting, other instructions or other programs limit it.";
}

std::string limitsRemark(const KernelWork& work)
{
    static const Json remarks = parsedJson(limitRemarksText).at("remarks");
    const Kernel& kernel = work.kernel;
    const auto names = [](const Json& one, const char* key, const std::string& id) { // all, if it has no such key
        return !one.contains(key) || std::ranges::any_of(one[key], [&](const Json& each) { return each == id; });
    };
    for (const Json& one : remarks)
        if (work.isOnGpu && names(one, "methods", kernel.method) && names(one, "variants", kernel.variant) &&
            names(one, "interpolations", toText(kernel.interpolation)) && one.at("cone") == work.isCone &&
            kernel.slicesPerPass >= one.value("leastSlices", 1) &&
            kernel.slicesPerPass <= one.value("mostSlices", kernel.slicesPerPass))
            return one.at("text");
    return {};
}

std::string explainedLimit(double gups, const std::vector<Limit>& limits, const KernelWork& work)
{
    const std::string sentence = limiterSentence(gups, limits), remark = limitsRemark(work);
    const bool isReached = !limits.empty() && gups >= mostlyBusy * limits.front().gups;
    return isReached || remark.empty() ? sentence : sentence.empty() ? remark : sentence + ' ' + remark;
}

} // namespace engine
