// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/documents/measured_report.h"

#include "engine/base/json_text.h"
#include "engine/base/machine.h"
#include "engine/base/version.h"
#include "engine/measure/speed_spread.h"
#include "engine/volume/performance_model_json.h"

namespace engine
{

std::string benchmarkJson(const std::vector<BenchmarkRow>& rows, const MachinePeaks& peaks)
{
    Json list = Json::array();
    for (const BenchmarkRow& row : rows) {
        Json json = {{"method", row.method},
                     {"geometry", row.geometry},
                     {"device", row.device},
                     {"interpolation", toText(row.interpolation)},
                     {"precision", toText(row.precision)},
                     {"slicesPerPass", row.slicesPerPass},
                     {"slices", row.slices},
                     {"size", row.size},
                     {"bins", row.bins},
                     {"projections", row.projections},
                     {"threads", row.threads},
                     {"kernelSeconds", row.kernelSeconds},
                     {"kernelGups", row.kernelGups},
                     {"totalSeconds", row.totalSeconds},
                     {"totalGups", row.totalGups},
                     {"fastestKernelSeconds", row.fastestKernelSeconds},
                     {"slowestKernelSeconds", row.slowestKernelSeconds}};
        json["kernelSecondsOfRuns"] = row.kernelRuns;
        json["totalSecondsOfRuns"] = row.totalRuns;
        if (row.reusedTotalSeconds > 0) { // with image memory that an earlier run has used
            json["reusedTotalSeconds"] = row.reusedTotalSeconds;
            json["reusedTotalGups"] = row.reusedTotalGups;
            json["reusedTotalSecondsOfRuns"] = row.reusedTotalRuns;
        }
        if (row.alpha > 0)
            json["alpha"] = row.alpha; // of a cone: input values per output voxel
        if (row.filterSeconds > 0)
            json["filterSeconds"] = row.filterSeconds;
        if (!row.instructionSet.empty())
            json["instructionSet"] = row.instructionSet;
        if (row.texturePeakShare > 0)
            json["texturePeakShare"] = row.texturePeakShare;
        if (row.interpolation == Interpolation::oversampled)
            json["oversampling"] = row.oversampling;
        if (!row.variant.empty())
            json["variant"] = json["aluTuning"] = row.variant; // the second is the key of older versions
        if (!row.step.empty())
            json["step"] = row.step;
        if (row.paperFactor > 0)
            json["paperFactor"] = row.paperFactor;
        const SpeedSpread spread = speedSpreadOf(row.kernelRuns, row.kernelGups * row.kernelSeconds);
        json["lowerQuartileGups"] = spread.lowerQuartile;
        json["upperQuartileGups"] = spread.upperQuartile;
        if (spread.drift > 0)
            json["lastQuarterOverFirst"] = spread.drift;
        if (row.clockBeforeMhz > 0 && row.clockAfterMhz > 0) {
            json["clockBeforeMhz"] = row.clockBeforeMhz;
            json["clockAfterMhz"] = row.clockAfterMhz;
        }
        if (row.watts > 0) {
            json["watts"] = row.watts;
            json["totalGupsPerWatt"] = row.gupsPerWatt;
        }
        if (row.occupancy.registers > 0)
            json["kernel"] = {{"registers", row.occupancy.registers},
                              {"sharedBytes", row.occupancy.sharedBytes},
                              {"threadsPerBlock", row.occupancy.threads},
                              {"blocksPerMultiprocessor", row.occupancy.blocks},
                              {"occupancy", row.occupancy.occupancy}};
        for (const Limit& limit : row.limits) // the lowest first
            json["limits"].push_back({{"unit", limit.unit}, {"gups", limit.gups}, {"perUpdate", limit.perUpdate}});
        list.push_back(std::move(json));
    }
    Json json = {{"program", "Sinoscope"}, {"version", programVersion()}};
    json["device"] = measuredDevice(rows);
    json["processor"] = processorName();
    json["rows"] = std::move(list);
    for (const ProcessorPeaks& peak : peaks.cores) // per core, in 10⁹ floats per second
        json["processorPeaks"].push_back({{"instructionSet", peak.instructionSet},
                                          {"multiplyAdds", peak.multiplyAdds},
                                          {"shuffles", peak.shuffles},
                                          {"loads", peak.loads},
                                          {"fixedPairs", peak.fixedPairs},
                                          {"shareOfEach", peak.shareOfEach}});
    for (const auto& [device, peak] : peaks.gpus) // per second
        json["gpuPeaks"].push_back({{"device", device},
                                    {"texels", peak.texels},
                                    {"sharedBytes", peak.sharedBytes},
                                    {"multiplyAdds", peak.instructions},
                                    {"tensorProducts", peak.tensorProducts},
                                    {"memoryBytes", peak.memoryBytes},
                                    {"upBytes", peak.upBytes},
                                    {"downBytes", peak.downBytes}});
    for (const auto& [device, peak] : peaks.openCl) { // per second
        Json fetches = Json::array();
        for (const auto& [format, perSecond] : peak.fetches)
            fetches.push_back(
                {{"channels", format.channels},
                 {"precision", toText(format.half ? Precision::half : Precision::single)},
                 {"interpolation", toText(format.nearest ? Interpolation::nearest : Interpolation::linear)},
                 {"perSecond", perSecond}});
        json["openClPeaks"].push_back({{"device", device},
                                       {"fetches", std::move(fetches)},
                                       {"localBytes", peak.localBytes},
                                       {"multiplyAdds", peak.multiplyAdds}});
    }
    return dumped(json);
}

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

std::string volumeBenchmarkJson(const VolumeBenchmark& benchmark)
{
    Json volume = {{"scan", benchmark.scan},
                   {"machine",
                    {{"readBytesPerSecond", benchmark.machineRead},
                     {"writeFileBytesPerSecond", benchmark.machineWriteFile},
                     {"writeFilesBytesPerSecond", benchmark.machineWriteFiles}}}};
    Json device;
    for (const MeasuredVolume& run : benchmark.runs) {
        const Timings& times = run.made.timings;
        volume["runs"][run.output] = {{"method", run.made.method},
                                      {"precision", toText(run.made.request.setting.kernel.precision)},
                                      {"slicesPerPass", run.made.request.setting.kernel.slicesPerPass},
                                      {"slicesPerGroup", run.slicesPerGroup},
                                      {"bytesIn", run.bytesIn},
                                      {"bytesOut", run.bytesOut},
                                      {"readSeconds", times.read.seconds},
                                      {"prepareSeconds", times.prepare.seconds},
                                      {"filterAndBackprojectSeconds", times.totalSeconds},
                                      {"kernelSeconds", times.kernelSeconds},
                                      {"writeSeconds", times.writeSeconds},
                                      {"elapsedSeconds", times.elapsedSeconds},
                                      {"readAloneBytesPerSecond", run.readAlone},
                                      {"prepareAloneBytesPerSecond", run.prepareAlone},
                                      {"writeAloneBytesPerSecond", run.writeAlone},
                                      {"readOverMachine", run.readOverMachine},
                                      {"writeOverMachine", run.writeOverMachine},
                                      {"wholeOverSlowest", run.wholeOverSlowest}};
        if (device.is_null()) {
            device = run.made.device;
            volume["size"] = run.made.grid.size;
            volume["projections"] = run.made.request.scan->projections();
            volume["slices"] = run.made.request.place.slices.count;
            for (const char* figure : {"readOverMachine", "writeOverMachine", "wholeOverSlowest"})
                volume[figure] = volume["runs"][run.output][figure];
        }
    }
    return dumped({{"program", "Sinoscope"},
                   {"version", programVersion()},
                   {"processor", processorName()},
                   {"threads", processorThreads()},
                   {"device", std::move(device)},
                   {"volume", std::move(volume)}});
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
