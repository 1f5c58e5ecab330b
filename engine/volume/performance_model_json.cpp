// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/volume/performance_model_json.h"

#include "engine/base/error.h"
#include "engine/io/files/json_file.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace engine
{

namespace
{

std::string shown(const Json& value)
{
    return value.dump(-1, ' ', false, Json::error_handler_t::replace).substr(0, 60);
}

double positiveIn(const Json& rates, const std::string& key)
{
    const Json& value = rates[key];
    const double number = value.is_number() ? value.get<double>() : 0;
    require(std::isfinite(number) && number > 0,
            "\"" + key + "\" of \"rates\" is " + shown(value) + ", but must be a number above 0");
    return number;
}

double rateIn(const Json& rates, const std::string& key)
{
    constexpr double least = 1e-3, most = 1e30; // so that seconds stay finite
    const double rate = positiveIn(rates, key);
    require(rate >= least && rate <= most,
            "\"" + key + "\" of \"rates\" is " + shown(rates[key]) + ", but must be from 0.001 to 1e30");
    return rate;
}

int countIn(const Json& rates, const std::string& key)
{
    const double number = positiveIn(rates, key);
    require(number == std::floor(number) && number <= 1e6,
            "\"" + key + "\" of \"rates\" is " + shown(rates[key]) + ", but must be a whole number up to 1000000");
    return static_cast<int>(number);
}

std::string textIn(const Json& rates, const std::string& key)
{
    require(rates[key].is_string(), "\"" + key + "\" of \"rates\" is " + shown(rates[key]) + ", but must be a text");
    return rates[key].get<std::string>();
}

const std::vector<std::string>& keysOfAll()
{
    static const std::vector<std::string> keys = [] {
        std::vector<std::string> all = {"loading", "gpusPerNode", "connectorsPerNode", "gpuMemoryBytes",
                                        "slicesPerPass"};
        for (const RateRow& row : rateRows())
            all.push_back(row.key);
        return all;
    }();
    return keys;
}

Json rowOf(const ModelledRanks& row)
{
    Json seconds = Json::object();
    for (const ModelStage& stage : modelStages())
        seconds[stage.id] = stage.seconds(row.prediction);
    const RankGrid& grid = row.prediction.grid;
    return {{"ranks", row.ranks},      {"projections", row.projections},  {"rows", grid.rows},
            {"columns", grid.columns}, {"passes", row.prediction.passes}, {"seconds", seconds},
            {"gups", row.gups},        {"efficiency", row.efficiency}};
}

} // namespace

Json problemJson(const Problem& problem)
{
    const bool isWeak = problem.projectionsPerRank > 0;
    return {{"bins", problem.bins},
            {"rows", problem.rows},
            {isWeak ? "projectionsPerRank" : "projections", isWeak ? problem.projectionsPerRank : problem.projections},
            {"size", {problem.sizeX, problem.sizeY, problem.sizeZ}},
            {"bytesPerSample", problem.bytesPerSample},
            {"bytesPerVoxel", problem.bytesPerVoxel},
            {"coneRatio", problem.coneRatio}};
}

Json ratesOf(const Rates& rates)
{
    Json json = {{"name", rates.name},
                 {"loading", toText(rates.loading)},
                 {"gpusPerNode", rates.gpusPerNode},
                 {"connectorsPerNode", rates.connectorsPerNode},
                 {"gpuMemoryBytes", rates.gpuMemoryBytes},
                 {"slicesPerPass", rates.slicesPerPass}};
    for (const RateRow& row : rateRows()) {
        const auto& rate = rates.*row.rate;
        json[row.key] = rate ? Json(*rate) : Json();
    }
    return json;
}

Rates ratesFrom(const Json& whole)
{
    require(whole.is_object() && whole.contains("rates") && whole["rates"].is_object(), "it has no object \"rates\"");
    const Json& json = whole["rates"];
    for (const std::string& key : keysOfAll())
        require(json.contains(key), "\"rates\" lacks \"" + key + "\"; give null for a stage that takes no time");
    for (const auto& [key, value] : json.items())
        require(key == "name" || std::ranges::find(keysOfAll(), key) != keysOfAll().end(),
                "the key \"" + key + "\" of \"rates\" is unknown");
    Rates rates;
    if (json.contains("name"))
        rates.name = textIn(json, "name");
    rates.loading = loadingFromText(textIn(json, "loading"));
    rates.gpusPerNode = countIn(json, "gpusPerNode");
    rates.connectorsPerNode = countIn(json, "connectorsPerNode");
    rates.gpuMemoryBytes = positiveIn(json, "gpuMemoryBytes");
    rates.slicesPerPass = countIn(json, "slicesPerPass");
    for (const RateRow& row : rateRows())
        if (!json[row.key].is_null())
            rates.*row.rate = rateIn(json, row.key);
    return rates;
}

Rates readRates(const std::filesystem::path& file)
{
    return readJsonFile(file, "file of rates", [](const Json& json) { return ratesFrom(json); });
}

Json modelOf(const Problem& problem, const Rates& rates, const std::vector<ModelledRanks>& rows)
{
    Json json = {{"problem", problemJson(problem)}, {"rates", ratesOf(rates)}, {"rows", Json::array()}};
    for (const ModelledRanks& row : rows)
        json["rows"].push_back(rowOf(row));
    for (const PublishedBeside& beside : publishedBeside(problem, rows)) {
        const PublishedFigure& figure = *beside.figure;
        json["published"].push_back({{"place", figure.place},
                                     {"ranks", figure.gpus},
                                     {"stage", figure.stage},
                                     {"kind", toText(figure.kind)},
                                     {"predicted", beside.predicted},
                                     {"published", figure.seconds},
                                     {"ratio", beside.ratio}});
    }
    return json;
}

Json comparisonOf(const ModelComparison& comparison)
{
    const auto orNull = [](const std::optional<double>& value) { return value ? Json(*value) : Json(); };
    Json json = {{"stages", Json::array()}, {"overlap", orNull(comparison.overlap)}};
    for (const ComparedStage& row : comparison.stages)
        json["stages"].push_back({{"stage", row.stage->id},
                                  {"predicted", row.predicted},
                                  {"measured", row.measured},
                                  {"ratio", orNull(row.ratio)},
                                  {"share", orNull(row.share)}});
    return json;
}

} // namespace engine
