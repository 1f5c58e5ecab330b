// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/measured_speeds.h"

#include "engine/backends/devices.h"
#include "engine/backends/support.h"
#include "engine/base/json_text.h"
#include "engine/base/machine.h"
#include "engine/base/own_file.h"
#include "engine/base/version.h"

#include <algorithm>
#include <memory>
#include <mutex>

namespace engine
{

namespace
{

constexpr std::size_t mostFileBytes = 16 << 20; // of the file

using Speeds = std::shared_ptr<const std::vector<MeasuredSpeed>>;

// Returns the speeds in use; replaces them before, if others are given.
Speeds inUse(Speeds others)
{
    static std::mutex mutex;
    static Speeds speeds;
    const std::lock_guard lock(mutex);
    if (others)
        speeds = std::move(others);
    if (!speeds)
        speeds = std::make_shared<const std::vector<MeasuredSpeed>>(
            measuredSpeedsFrom(readCached(measuredSpeedsFile(), mostFileBytes)));
    return speeds;
}

// Returns the speeds of the method for the request's geometry, interpolation, precision and slices per pass on its
// device, with any variant.
std::vector<const MeasuredSpeed*> speedsOf(const std::vector<MeasuredSpeed>& speeds, const Method& method,
                                           const Request& request, const Machine& machine)
{
    std::vector<const MeasuredSpeed*> found;
    if (speeds.empty())
        return found;
    const Kernel& kernel = request.setting.kernel;
    const std::string device = deviceNameFor(*method.backend, request, machine);
    for (const MeasuredSpeed& speed : speeds)
        if (speed.method == method.id && speed.device == device && speed.interpolation == kernel.interpolation &&
            speed.precision == kernel.precision && speed.slicesPerPass == kernel.slicesPerPass &&
            method.takes(geometryKind(speed.geometry).example))
            found.push_back(&speed);
    return found;
}

bool isTuningOf(const Method& method, const std::string& variant)
{
    return std::ranges::any_of(variantsOf(method),
                               [&](const Variant& row) { return row.isTuning && row.id == variant; });
}

} // namespace

std::string deviceNameFor(const Backend& backend, const Request& request, const Machine& machine)
{
    if (backend.isProcessor)
        return fullName(backend.devices().devices.front(), backend);
    const Device* device = deviceFor(backend, request.resources.device, machine);
    return device ? fullName(*device, backend) : std::string();
}

std::string measuredVariant(const Method& method, const Request& request, const Machine& machine)
{
    if (request.setting.kernel.method != "auto" || !request.setting.kernel.variant.empty())
        return {};
    const Speeds speeds = machine.speeds();
    const std::vector<const MeasuredSpeed*> measured = speedsOf(*speeds, method, request, machine);
    const auto usual = std::ranges::find(measured, std::string(), [](const auto* one) { return one->variant; });
    if (usual == measured.end())
        return {};
    double fastest = clearlyFaster * (*usual)->kernelGups;
    std::string variant;
    for (const MeasuredSpeed* one : measured) {
        if (one->kernelGups <= fastest || !isTuningOf(method, one->variant))
            continue;
        Request tuned = request;
        tuned.setting.kernel.method = method.id;
        tuned.setting.kernel.variant = one->variant;
        if (!refusalOf(method, tuned, machine)) {
            fastest = one->kernelGups;
            variant = one->variant;
        }
    }
    return variant;
}

std::optional<double> measuredGups(const Method& method, const Request& request, const Machine& machine)
{
    const Speeds speeds = machine.speeds();
    const std::vector<const MeasuredSpeed*> measured = speedsOf(*speeds, method, request, machine);
    const auto found = std::ranges::find(measured, measuredVariant(method, request, machine),
                                         [](const MeasuredSpeed* one) { return one->variant; });
    return found == measured.end() ? std::nullopt : std::optional((*found)->kernelGups);
}

Speeds measuredSpeeds()
{
    return inUse(nullptr);
}

void useMeasuredSpeeds(std::vector<MeasuredSpeed> speeds)
{
    inUse(std::make_shared<const std::vector<MeasuredSpeed>>(std::move(speeds)));
}

std::filesystem::path measuredSpeedsFile()
{
    const std::filesystem::path folder = cacheFolder();
    return folder.empty() ? folder : folder / "speeds.json";
}

std::vector<MeasuredSpeed> measuredSpeedsFrom(const std::string& text)
{
    const Json json = parsedJson(text);
    std::vector<MeasuredSpeed> speeds;
    try {
        if (!json.is_object() || json.at("version") != programVersion()) // its kernels may be faster or slower
            return {};
        for (const Json& row : json.at("speeds"))
            speeds.push_back({.device = row.at("device"),
                              .geometry = row.at("geometry"),
                              .method = row.at("method"),
                              .interpolation = interpolationFromText(row.at("interpolation")),
                              .precision = precisionFromText(row.at("precision")),
                              .slicesPerPass = wholeNumberIn<int>(row.at("slicesPerPass")),
                              .kernelGups = row.at("kernelGups"),
                              .variant = row.value("variant", std::string())});
        for (const MeasuredSpeed& speed : speeds)
            geometryKind(speed.geometry); // throws if there is none of that name
    } catch (const std::exception&) {     // without measurements `auto` still chooses
        return {};
    }
    return speeds;
}

std::string measuredSpeedsJson(const std::vector<MeasuredSpeed>& speeds)
{
    Json rows = Json::array();
    for (const MeasuredSpeed& speed : speeds) {
        rows.push_back({{"device", speed.device},
                        {"geometry", speed.geometry},
                        {"method", speed.method},
                        {"interpolation", toText(speed.interpolation)},
                        {"precision", toText(speed.precision)},
                        {"slicesPerPass", speed.slicesPerPass},
                        {"kernelGups", speed.kernelGups}});
        if (!speed.variant.empty())
            rows.back()["variant"] = speed.variant;
    }
    return dumped({{"program", "Sinoscope"}, {"version", programVersion()}, {"speeds", std::move(rows)}});
}

} // namespace engine
