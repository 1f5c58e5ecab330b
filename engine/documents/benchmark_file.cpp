// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/documents/benchmark_file.h"

#include "engine/backproject/method.h"
#include "engine/base/error.h"
#include "engine/base/json_text.h"
#include "engine/io/files/json_file.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace engine
{

namespace
{

std::string textIn(const Json& json, const char* key)
{
    return json.contains(key) ? json[key].get<std::string>() : std::string();
}

[[noreturn]] void refuseValue(const Json& json, const char* key)
{
    throw Error(ErrorKind::badFile, std::string("\"") + key + "\" is " + json[key].dump());
}

// A number that is measured or counted: 0 if it isn't stated.
double measureIn(const Json& json, const char* key)
{
    if (!json.contains(key))
        return 0;
    const auto value = json[key].get<double>();
    if (!(std::isfinite(value) && value >= 0))
        refuseValue(json, key);
    return value;
}

int countIn(const Json& json, const char* key, int unstated)
{
    if (!json.contains(key))
        return unstated;
    const int count = wholeNumberIn<int>(json[key]);
    if (count < 0)
        refuseValue(json, key);
    return count;
}

// Returns the device as toText(DeviceSettings) writes it. Older reports leave it out, or name it otherwise: then it is
// that of the method.
std::string deviceIn(const Json& json, const std::string& method)
{
    const std::string text = textIn(json, "device");
    if (text.starts_with("cuda") || text.starts_with("cpu"))
        try {
            return toText(deviceFromText(text));
        } catch (const Error&) { // as above
        }
    const Method* known = findMethod(method);
    return toText(DeviceSettings{known ? known->device : DeviceSettings::Kind::cpu, 0});
}

BenchmarkRow rowFrom(const Json& json)
{
    require(json.is_object(), "one of \"rows\" is no object");
    BenchmarkRow row;
    row.method = json.at("method").get<std::string>();
    row.geometry = textIn(json, "geometry");
    row.device = deviceIn(json, row.method);
    row.interpolation = interpolationFromText(json.at("interpolation").get<std::string>());
    row.precision = precisionFromText(json.at("precision").get<std::string>());
    row.oversampling = countIn(json, "oversampling", row.oversampling);
    row.slicesPerPass = countIn(json, "slicesPerPass", 1);
    row.slices = countIn(json, "slices", row.slicesPerPass);
    row.size = countIn(json, "size", 0);
    row.bins = countIn(json, "bins", row.size);
    row.projections = countIn(json, "projections", 0);
    row.threads = countIn(json, "threads", 0);
    row.variant = textIn(json, "variant");
    row.step = textIn(json, "step");
    row.instructionSet = textIn(json, "instructionSet");
    row.alpha = measureIn(json, "alpha");
    row.paperFactor = measureIn(json, "paperFactor");
    row.filterSeconds = measureIn(json, "filterSeconds");
    row.kernelSeconds = measureIn(json, "kernelSeconds");
    row.kernelGups = measureIn(json, "kernelGups");
    row.totalSeconds = measureIn(json, "totalSeconds");
    row.totalGups = measureIn(json, "totalGups");
    row.clockBeforeMhz = measureIn(json, "clockBeforeMhz");
    row.clockAfterMhz = measureIn(json, "clockAfterMhz");
    row.watts = measureIn(json, "watts");
    row.gupsPerWatt = measureIn(json, "totalGupsPerWatt");
    if (json.contains("kernelSecondsOfRuns"))
        row.kernelRuns = json["kernelSecondsOfRuns"].get<std::vector<double>>();
    if (json.contains("limits"))
        for (const Json& limit : json["limits"])
            row.limits.push_back(
                {limit.at("unit").get<std::string>(), measureIn(limit, "gups"), measureIn(limit, "perUpdate")});
    require(row.kernelGups > 0, "\"kernelGups\" of `" + row.method + "` is missing or 0");
    require(std::ranges::all_of(row.kernelRuns, [](double seconds) { return seconds > 0; }) &&
                std::ranges::all_of(row.limits, [](const Limit& limit) { return limit.gups > 0; }),
            "a run or a limit of `" + row.method + "` is 0 or negative");
    return row;
}

} // namespace

BenchmarkFile readBenchmark(const std::filesystem::path& file)
{
    return readJsonFile(file, "benchmark", [](const Json& json) {
        require(json.is_object() && json.contains("rows") && json["rows"].is_array() && !json["rows"].empty(),
                "it has no \"rows\"");
        BenchmarkFile made;
        made.version = textIn(json, "version");
        made.date = textIn(json, "date");
        made.device = textIn(json, json.contains("device") ? "device" : "processor");
        for (const Json& row : json["rows"])
            made.rows.push_back(rowFrom(row));
        return made;
    });
}

const BenchmarkRow* sameSetting(const std::vector<BenchmarkRow>& rows, const BenchmarkRow& row)
{
    const auto setting = [](const BenchmarkRow& one) {
        const int oversampling = one.interpolation == Interpolation::oversampled ? one.oversampling : 0;
        return std::tuple(one.method, one.variant, one.interpolation, oversampling, one.precision, one.slicesPerPass,
                          one.size, one.bins, one.projections, one.alpha > 0 ? one.slices : 0);
    };
    const auto found = std::ranges::find(rows, setting(row), setting);
    return found == rows.end() ? nullptr : &*found;
}

} // namespace engine
