// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/measure/tune.h"

#include "engine/backends/devices.h"
#include "engine/backends/support.h"
#include "engine/base/error.h"
#include "engine/base/remove_file.h"
#include "engine/io/files/json_file.h"
#include "engine/resolve/resolve.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>

namespace engine
{

namespace
{

// Returns the methods among which `auto` chooses on the device.
std::vector<const Method*> automaticMethods(const std::string& geometry, const DeviceSettings& device)
{
    std::vector<const Method*> all = methodsFor(geometryKind(geometry).example);
    std::erase_if(all, [&](const Method* method) { return !method->rank || method->backend->id != device.backend; });
    return all;
}

Request requestOf(const MeasuredSpeed& speed, const DeviceSettings& device)
{
    Kernel kernel; // `auto`
    kernel.interpolation = speed.interpolation;
    kernel.precision = speed.precision;
    kernel.slicesPerPass = speed.slicesPerPass;
    return exampleRequest(geometryKind(speed.geometry).example, kernel, device, speed.slicesPerPass);
}

// Returns the candidate with the highest rank that can do the request.
const Method* highestOf(const std::vector<const Method*>& methods, const Request& request)
{
    const Method* highest = nullptr;
    for (auto method = methods.rbegin(); method != methods.rend(); ++method) // as `auto` does where ranks are equal
        if (!refusalOf(**method, request) && (!highest || (*method)->rank(request) > highest->rank(request)))
            highest = *method;
    return highest;
}

} // namespace

DeviceSettings tunedDevice(const DeviceSettings& asked)
{
    if (!asked.isAutomatic())
        return asked;
    const std::span<const Backend* const> all = backends();
    const auto usable = std::find_if(all.rbegin(), all.rend(), [&](const Backend* one) {
        return deviceFor(*one, asked) != nullptr; // of automatic ones
    });
    return {(*usable)->id, asked.index};
}

std::vector<BenchmarkRow> benchmarkAutomatic(const BenchmarkOptions& asked, const BenchmarkWatch& watch,
                                             const std::stop_token& stop)
{
    const std::vector<const Method*> methods = automaticMethods(asked.geometry, asked.device);
    std::set<int> modes;
    for (const Method* method : methods)
        modes.insert(method->slicesPerPass.begin(), method->slicesPerPass.end());
    const double work = std::accumulate(modes.begin(), modes.end(), 0.0); // a run of many slices takes longer
    double done = 0;
    std::vector<BenchmarkRow> rows;
    for (const int mode : modes) {
        BenchmarkOptions one = asked;
        one.methods.clear();
        for (const Method* method : methods)
            if (std::ranges::count(method->slicesPerPass, mode) > 0)
                one.methods.emplace_back(method->id);
        one.slicesPerPass = mode;
        const auto add = [&](const BenchmarkRow& row) {
            rows.push_back(row);
            if (watch.onRow)
                watch.onRow(row);
        };
        const auto report = [&](double fraction, const std::string& doing) {
            if (watch.onProgress)
                watch.onProgress((done + mode * fraction) / work, doing + ", " + std::to_string(mode) + " per pass");
        };
        benchmarkMethods(one, {add, report}, stop);
        done += mode;
    }
    return rows;
}

std::vector<MeasuredSpeed> measureSpeeds(BenchmarkOptions asked, const BenchmarkWatch& watch, std::stop_token stop)
{
    asked.size = asked.size > 0 ? asked.size : tunedSize;
    if (std::holds_alternative<ConeBeam>(geometryKind(asked.geometry).example))
        asked.size = std::max(1, asked.size / 4);
    asked.device = tunedDevice(asked.device);
    asked.everyTuning = true;
    std::vector<MeasuredSpeed> speeds;
    for (const BenchmarkRow& row : benchmarkAutomatic(asked, watch, stop)) {
        MeasuredSpeed speed{
            {},         asked.geometry, row.method, row.interpolation, row.precision, row.slicesPerPass, row.kernelGups,
            row.variant};
        speed.device = deviceNameFor(backendOf(asked.device), requestOf(speed, asked.device));
        speeds.push_back(speed);
    }
    return speeds;
}

std::vector<TunedChoice> tunedChoices(const std::vector<MeasuredSpeed>& measured, const DeviceSettings& asked)
{
    const DeviceSettings device = tunedDevice(asked);
    const auto setting = [](const MeasuredSpeed& speed) {
        return std::tuple(speed.geometry, speed.interpolation, speed.precision, speed.slicesPerPass);
    };
    std::vector<TunedChoice> choices;
    std::set<decltype(setting(MeasuredSpeed()))> seen;
    for (const MeasuredSpeed& first : measured) {
        if (!seen.insert(setting(first)).second)
            continue;
        TunedChoice choice{first.interpolation, first.precision, first.slicesPerPass, {}, {}};
        const Request request = requestOf(first, device);
        const Plan after = resolve(request);
        const Method* before = highestOf(automaticMethods(first.geometry, device), request);
        choice.before = before ? before->id : after.method->id;
        choice.after = after.method->id;
        for (const MeasuredSpeed& speed : measured) {
            if (setting(speed) != setting(first))
                continue;
            if (speed.method == choice.before && speed.variant.empty())
                choice.beforeGups = speed.kernelGups;
            if (speed.method == choice.after && speed.variant == after.kernel.variant)
                choice.afterGups = speed.kernelGups;
        }
        if (after.isTuned)
            choice.after += " (" + after.kernel.variant + ")";
        choices.push_back(choice);
    }
    return choices;
}

void keepMeasuredSpeeds(const std::vector<MeasuredSpeed>& measured)
{
    std::vector<MeasuredSpeed> speeds = *measuredSpeeds();
    std::erase_if(speeds, [&](const MeasuredSpeed& old) {
        return std::ranges::any_of(measured, [&](const MeasuredSpeed& fresh) {
            return fresh.device == old.device && fresh.geometry == old.geometry;
        });
    });
    speeds.insert(speeds.end(), measured.begin(), measured.end());
    const std::filesystem::path file = measuredSpeedsFile();
    if (file.empty())
        throw Error(ErrorKind::output,
                    "there is no folder to keep the speeds in: neither HOME nor XDG_CACHE_HOME is set");
    std::error_code failure; // the file itself then can't be written
    std::filesystem::create_directories(file.parent_path(), failure);
    writeJsonFile(file, measuredSpeedsJson(speeds), true, {});
    useMeasuredSpeeds(std::move(speeds));
}

bool forgetMeasuredSpeeds()
{
    const std::filesystem::path file = measuredSpeedsFile();
    std::error_code unreadable;
    const bool removed = !file.empty() && std::filesystem::exists(file, unreadable);
    if (const std::error_code failure = removed ? removeFile(file) : std::error_code()) {
        const bool isFile = std::filesystem::is_regular_file(std::filesystem::symlink_status(file, unreadable));
        throw Error(ErrorKind::output, "'" + file.string() + "' can't be removed: " +
                                           (isFile ? failure.message() : "it is not a plain file"));
    }
    useMeasuredSpeeds({});
    return removed;
}

} // namespace engine
