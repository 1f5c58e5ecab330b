// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/measure/benchmark_json.h"

#include "engine/backends/backend.h"
#include "engine/backends/devices.h"
#include "engine/backends/method.h"
#include "engine/base/error.h"
#include "engine/base/json_text.h"
#include "engine/base/machine.h"
#include "engine/io/files/json_file.h"
#include "engine/measure/speed_spread.h"

#include <algorithm>
#include <cmath>

namespace engine
{

namespace
{

bool isUnset(int value)
{
    return value == 0;
}
bool isUnset(double value)
{
    return !(value > 0);
}
template <typename Values>
bool isUnset(const Values& values)
{
    return values.empty();
}

void addFigures(Json& json, const std::vector<Figure>& figures)
{
    for (const Figure& figure : figures)
        json[figure.key] = figure.value; // NaN becomes null
}

Json jsonOf(const BenchmarkRow& row)
{
    Json json;
    for (const RowField& field : rowFields())
        std::visit(
            [&](const auto member) {
                if (!isUnset(row.*member))
                    json[field.key] = row.*member;
            },
            field.member);
    json["interpolation"] = toText(row.interpolation);
    json["precision"] = toText(row.precision);
    if (row.interpolation == Interpolation::oversampled)
        json["oversampling"] = row.oversampling;
    if (!row.variant.empty())
        json["aluTuning"] = row.variant; // the key of older versions
    if (!row.kernelRuns.empty()) {
        const SpeedSpread spread = speedSpreadOf(row.kernelRuns, row.kernelGups * row.kernelSeconds);
        json["lowerQuartileGups"] = spread.lower;
        json["upperQuartileGups"] = spread.upper;
        if (spread.drift > 0)
            json["lastQuarterOverFirst"] = spread.drift;
    }
    if (row.occupancy.registers > 0)
        json["kernel"] = {{"registers", row.occupancy.registers},
                          {"sharedBytes", row.occupancy.sharedBytes},
                          {"threadsPerBlock", row.occupancy.threads},
                          {"blocksPerMultiprocessor", row.occupancy.blocks},
                          {"occupancy", row.occupancy.occupancy}};
    for (const Limit& limit : row.limits) // the lowest first
        json["limits"].push_back({{"unit", limit.unit}, {"gups", limit.gups}, {"perUpdate", limit.perUpdate}});
    if (!row.limits.empty()) { // the keys of a card
        json["limit"] = row.limits.front().unit;
        json["limitGups"] = row.limits.front().gups;
    }
    addFigures(json, row.figures);
    return json;
}

// Per second; of a core of the processor in 10⁹ per second.
void addPeaks(Json& json, const MachinePeaks& peaks)
{
    for (const Backend* backend : backends())
        for (const DeviceRates& device : peaks.of(*backend)) {
            Json rates = {{backend->isProcessor ? "instructionSet" : "device", device.name}};
            if (backend->hasFetchRates)
                rates["fetches"] = Json::array();
            for (const UnitRate& unit : device.units)
                if (unit.channels == 0)
                    rates[unit.key] = unit.perSecond / (backend->isProcessor ? 1e9 : 1);
                else
                    rates[unit.key].push_back(
                        {{"channels", unit.channels},
                         {"precision", toText(unit.half ? Precision::half : Precision::single)},
                         {"interpolation", toText(unit.nearest ? Interpolation::nearest : Interpolation::linear)},
                         {"perSecond", unit.perSecond}});
            if (backend->isProcessor)
                rates["shareOfEach"] = device.shareOfEach;
            json[backend->ratesKey].push_back(std::move(rates));
        }
}

// Returns "volume": the runs by output, and the ratios of the first one.
Json volumeOf(const Benchmark& benchmark)
{
    Json volume = {{"scan", benchmark.scan}, {"machine", Json::object()}};
    addFigures(volume["machine"], benchmark.figures);
    for (const BenchmarkRow& row : benchmark.rows) {
        volume["runs"][row.output] = jsonOf(row);
        volume["runs"][row.output]["elapsedSeconds"] = row.wholeSeconds;
    }
    const Json first = jsonOf(benchmark.rows.front());
    for (const char* key : {"size", "projections", "slices", "readOverMachine", "writeOverMachine", "wholeOverSlowest"})
        if (first.contains(key))
            volume[key] = first[key];
    return volume;
}

// A number that is measured or counted.
template <typename Number>
Number numberIn(const Json& json, const char* key)
{
    const Number value = [&] {
        if constexpr (std::is_integral_v<Number>)
            return wholeNumberIn<Number>(json);
        else
            return json.get<Number>();
    }();
    if (!(std::isfinite(value) && value >= 0))
        throw Error(ErrorKind::badFile, std::string("\"") + key + "\" is " + json.dump());
    return value;
}

// Returns the devices as devicesToText() writes them. Older reports leave it out, or name it otherwise: then it is
// that of the method.
std::string deviceIn(const std::string& text, const std::string& method)
{
    if (findBackend(text.substr(0, text.find_first_of(":,"))))
        try {
            Resources named;
            setDevices(named, text);
            return devicesToText(named);
        } catch (const Error&) { // as above
        }
    const Method* known = findMethod(method);
    return (known ? *known->backend : processorBackend()).id;
}

BenchmarkRow rowFrom(const Json& json)
{
    require(json.is_object(), "one of \"rows\" is no object");
    BenchmarkRow row;
    for (const RowField& field : rowFields())
        if (const char* key = field.key; json.contains(key))
            std::visit(
                [&](const auto member) {
                    using Value = std::remove_cvref_t<decltype(row.*member)>;
                    if constexpr (std::is_arithmetic_v<Value>)
                        row.*member = numberIn<Value>(json[key], key);
                    else
                        row.*member = json[key].template get<Value>();
                },
                field.member);
    json.at("method"); // must be stated
    row.device = deviceIn(row.device, row.method);
    row.interpolation = interpolationFromText(json.at("interpolation").get<std::string>());
    row.precision = precisionFromText(json.at("precision").get<std::string>());
    if (json.contains("oversampling"))
        row.oversampling = numberIn<int>(json["oversampling"], "oversampling");
    if (!json.contains("slices"))
        row.slices = row.slicesPerPass;
    if (!json.contains("bins"))
        row.bins = row.size;
    if (json.contains("limits"))
        for (const Json& limit : json["limits"])
            row.limits.push_back({limit.at("unit").get<std::string>(), numberIn<double>(limit.at("gups"), "gups"),
                                  limit.value("perUpdate", 0.0)});
    require(row.kernelGups > 0, "\"kernelGups\" of `" + row.method + "` is missing or 0");
    require(std::ranges::all_of(row.kernelRuns, [](double seconds) { return seconds > 0; }) &&
                std::ranges::all_of(row.limits, [](const Limit& limit) { return limit.gups > 0; }),
            "a run or a limit of `" + row.method + "` is 0 or negative");
    return row;
}

} // namespace

std::string benchmarkJson(const Benchmark& benchmark)
{
    const BenchmarkOptions& options = benchmark.options;
    Json json = {{"program", "Sinoscope"},     {"version", benchmark.version}, {"date", benchmark.date},
                 {"device", benchmark.device}, {"processor", processorName()}, {"threads", benchmark.threads}};
    if (!benchmark.command.empty())
        json["command"] = benchmark.command;
    if (options.kind == BenchmarkOptions::Kind::volume) {
        json["volume"] = volumeOf(benchmark);
        return dumped(json);
    }
    if (options.kind == BenchmarkOptions::Kind::planes) {
        json["geometry"] = options.geometry;
        json["precision"] = toText(benchmark.rows.front().precision);
        json["interpolation"] = toText(benchmark.rows.front().interpolation);
        json["scan"] = benchmark.scan.empty() ? Json() : Json(benchmark.scan);
    }
    if (options.kind != BenchmarkOptions::Kind::sizes) {
        json["size"] = options.size;
        json["projections"] = options.projections;
    }
    json["rows"] = Json::array();
    for (const BenchmarkRow& row : benchmark.rows)
        json["rows"].push_back(jsonOf(row));
    if (!benchmark.leftOut.empty())
        json["leftOut"] = benchmark.leftOut;
    addFigures(json, benchmark.figures);
    addPeaks(json, benchmark.peaks);
    return dumped(json);
}

Benchmark readBenchmark(const std::filesystem::path& file)
{
    return readJsonFile(file, "benchmark", [](const Json& json) {
        const bool isVolume = json.is_object() && json.contains("volume");
        const Json rows = isVolume           ? json["volume"].value("runs", Json())
                          : json.is_object() ? json.value("rows", Json())
                                             : Json();
        require(rows.is_structured() && !rows.empty(), "it has no \"rows\"");
        Benchmark made;
        made.version = json.value("version", std::string());
        made.date = json.value("date", std::string());
        made.device = json.value(json.contains("device") ? "device" : "processor", std::string());
        for (const Json& row : rows)
            made.rows.push_back(rowFrom(row));
        return made;
    });
}

} // namespace engine
