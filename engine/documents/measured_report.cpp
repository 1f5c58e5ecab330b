// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/documents/measured_report.h"

#include "engine/base/json_text.h"
#include "engine/base/machine.h"
#include "engine/base/version.h"
#include "engine/volume/performance_model_json.h"

namespace engine
{

std::string othersJson(const std::vector<OtherProgram>& programs, const OthersOptions& options)
{
    Json json = {{"program", "Sinoscope"},   {"version", programVersion()},        {"processor", processorName()},
                 {"size", options.size},     {"projections", options.projections}, {"repeat", options.repeat},
                 {"programs", Json::array()}};
    for (const OtherProgram& one : programs) {
        Json row = {{"name", one.name}};
        if (!one.device.empty())
            row["device"] = one.device;
        if (one.seconds > 0) {
            row["seconds"] = one.seconds;
            row["totalGups"] = one.gups;
            row["rmse"] = one.rmse; // against the phantom
            if (!one.isOurs) {
                row["difference"] = one.difference; // root mean square against Sinoscope's image
                row["timesAsLong"] = one.timesAsLong;
            }
        }
        if (!one.problem.empty())
            row["problem"] = one.problem;
        json["programs"].push_back(std::move(row));
    }
    return dumped(json);
}

std::string verifyJson(const std::vector<VerifyCase>& cases)
{
    Json list = Json::array();
    bool passed = !cases.empty();
    for (const VerifyCase& one : cases) {
        passed = passed && one.passed;
        list.push_back({{"method", one.method},
                        {"geometry", one.geometry},
                        {"detail", one.detail},
                        {"interpolation", toText(one.interpolation)},
                        {"precision", toText(one.precision)},
                        {"slicesPerPass", one.slicesPerPass},
                        {"size", one.size},
                        {"projections", one.projections},
                        {"axis", one.axisBins},
                        {"error", one.error},
                        {"bound", one.bound},
                        {"passed", one.passed}});
    }
    return dumped(
        {{"program", "Sinoscope"}, {"version", programVersion()}, {"passed", passed}, {"cases", std::move(list)}});
}

std::string measuredRatesJson(const MeasuredRates& measured)
{
    const Timings& times = measured.made.timings;
    return dumped({{"program", "Sinoscope"},
                   {"version", programVersion()},
                   {"grid", toText(measured.grid)},
                   {"problem", problemJson(measured.problem)},
                   {"rates", ratesOf(measured.rates)},
                   {"seconds",
                    {{"load", times.read.seconds},
                     {"exchange", times.exchangeSeconds},
                     {"prepare", times.prepare.seconds},
                     {"filter", times.filter.seconds},
                     {"kernel", times.kernelSeconds},
                     {"backproject", times.backprojectSeconds},
                     {"reduce", times.reduceSeconds},
                     {"store", times.writeSeconds},
                     {"elapsed", times.elapsedSeconds}}}});
}

std::string modelJson(const Problem& problem, const Rates& rates, const std::vector<ModelledRanks>& rows)
{
    Json json = {{"program", "Sinoscope"}, {"version", programVersion()}};
    json.update(modelOf(problem, rates, rows));
    return dumped(json);
}

} // namespace engine
