// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/measure/cluster_benchmark.h"

#include "engine/backends/devices.h"
#include "engine/backends/method.h"
#include "engine/base/machine.h"
#include "engine/io/files/created_folders.h"
#include "engine/io/files/scratch_folder.h"
#include "engine/io/open/open_scan.h"
#include "engine/io/slices/write_scan.h"
#include "engine/prepare/median.h"
#include "engine/resolve/resolve.h"
#include "engine/volume/performance_problem.h"
#include "engine/volume/slice_division.h"
#include "engine/volume/volume_plan.h"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

namespace engine
{

namespace
{

namespace fs = std::filesystem;

// Returns a cone of ±7° with voxels of 1 mm.
Simulation simulationOf(const ClusterBenchmarkOptions& options)
{
    Simulation simulation;
    simulation.phantom = Phantom::sheppLogan3d;
    simulation.size = simulation.slices = options.size;
    simulation.projections = options.projections;
    simulation.arcDeg = 360;
    ConeOptions& cone = simulation.cone.emplace();
    cone.sourceAxisMm = 4.0 * options.size;
    cone.sourceDetectorMm = 6.0 * options.size;
    cone.pixelUMm = 1.5;
    cone.size = cone.slices = options.size;
    return simulation;
}

// Returns the seconds of each stage by the ids of the model's stages.
std::map<std::string, double> stagesOf(const Reconstruction& made)
{
    const Timings& times = made.timings;
    const bool onGpu = !methodOf(made)->backend->isProcessor;
    std::map<std::string, double> seconds = {{"load", times.read.seconds},
                                             {"filter", times.prepare.seconds + times.filter.seconds},
                                             {"kernel", onGpu ? times.kernelSeconds : times.backprojectSeconds},
                                             {"store", times.writeSeconds}};
    if (onGpu)
        seconds["deviceToHost"] = std::max(0.0, times.backprojectSeconds - times.kernelSeconds);
    if (times.exchangeSeconds > 0)
        seconds["allGather"] = times.exchangeSeconds;
    if (times.reduceSeconds > 0)
        seconds["reduce"] = times.reduceSeconds;
    return seconds;
}

int mostRanksOfAHost(const Ensemble& ensemble)
{
    std::map<std::string, int> ranks;
    for (int rank = 0; rank < ensemble.size(); ++rank)
        ++ranks[ensemble.host(rank)];
    return std::ranges::max_element(ranks, {}, [](const auto& of) { return of.second; })->second;
}

Reconstruction medians(const std::vector<Reconstruction>& runs)
{
    Reconstruction made = runs.back();
    const auto medianOfAll = [&runs](const auto& of) {
        std::vector<double> seconds;
        for (const Reconstruction& run : runs)
            seconds.push_back(of(run.timings));
        return medianOf(seconds);
    };
    for (double Timings::*stage : {&Timings::kernelSeconds, &Timings::backprojectSeconds, &Timings::exchangeSeconds,
                                   &Timings::reduceSeconds, &Timings::writeSeconds, &Timings::elapsedSeconds})
        made.timings.*stage = medianOfAll([stage](const Timings& times) { return times.*stage; });
    for (auto Timings::*stage : {&Timings::read, &Timings::prepare, &Timings::filter})
        (made.timings.*stage).seconds = medianOfAll([stage](const Timings& times) { return (times.*stage).seconds; });
    return made;
}

// How a volume was divided, in the model's terms.
struct RankDivision {
    RankGrid grid; // of the ranks that had slices
    int passes = 1;
};

RankDivision divisionOf(const WrittenVolume& written)
{
    RankDivision division{.grid = written.grid};
    const auto busy =
        std::ranges::count_if(written.ranks, [](const RankResult& rank) { return rank.slices.count > 0; });
    if (busy > 0)
        division.grid.rows = static_cast<int>(busy) / division.grid.columns;
    const int slices = (written.made.request.place.slices().count + division.grid.rows - 1) / division.grid.rows;
    division.passes = (slices + written.plan.slicesPerGroup - 1) / written.plan.slicesPerGroup;
    return division;
}

// Computes rates from seconds. atOne: the prediction for rates of 1 per second, so that its seconds equal the amounts
// of work.
Rates ratesFrom(const Prediction& atOne, const std::map<std::string, double>& seconds)
{
    Rates rates;
    for (const RateRow& row : rateRows())
        if (const auto found = seconds.find(row.stage); found != seconds.end() && found->second > 0)
            rates.*row.rate = modelStage(row.stage).seconds(atOne) / found->second;
    return rates;
}

// Returns the rates of the machine. division: of the volume whose runs gave `measured.made`.
Rates ratesOf(const MeasuredRates& measured, const Request& request, const RankDivision& division, Loading loading,
              int gpusPerNode)
{
    Rates one;
    one.loading = loading;
    for (const RateRow& row : rateRows())
        one.*row.rate = 1;
    Rates rates = ratesFrom(predict(measured.problem, one, division.grid, division.passes), stagesOf(measured.made));
    rates.name = measured.made.device;
    rates.loading = one.loading;
    rates.gpusPerNode = gpusPerNode;
    rates.slicesPerPass = request.setting.kernel.slicesPerPass;
    const Backend& backend = *resolve(request).method->backend;
    const Device* gpu = backend.isProcessor ? nullptr : deviceFor(backend, request.resources.device);
    rates.gpuMemoryBytes = gpu ? gpu->memoryBytes : machineMemoryBytes() / 2 / gpusPerNode;
    return rates;
}

} // namespace

MeasuredRates measureRates(const ClusterBenchmarkOptions& options, Ensemble& ensemble,
                           const std::function<void(const std::string&)>& doing)
{
    const auto say = [&](const std::string& text) {
        if (doing)
            doing(text);
    };
    std::optional<MadeFolders> made;
    std::optional<ScratchFolder> scratch; // both on the first rank
    if (ensemble.isFirst()) {
        made.emplace(options.folder);
        scratch.emplace(options.folder);
        for (const char* name : {"scan.h5", "volume.h5"})
            scratch->file(name);
    }
    const fs::path folder = toldByFirst(ensemble, scratch ? fs::absolute(scratch->path()).string() : std::string());
    const fs::path file = folder / "scan.h5";
    if (ensemble.isFirst()) {
        const Simulation simulation = simulationOf(options);
        say("making a scan");
        writeScan(*simulate(simulation), &simulation, ScanFormat::dxchange, file, false, {}, ensemble.token());
    }
    ensemble.exchange({});

    MeasuredRates measured;
    const OpenOptions opened;
    Request request;
    request.scan = openScan(file, opened, ensemble.token());
    request.place.setSlices({0, request.scan->slices()});
    request.resources = options.resources;
    chooseSlicesPerPass(request); // as in a run
    takeShareOfMachine(request, ensemble, true);
    const int ranks = ensemble.size();
    measured.grid = options.grid;
    if (measured.grid.rows == 0)
        measured.grid = ranks % 2 == 0 ? RankGrid{ranks / 2, 2} : RankGrid{ranks, 1};
    measured.problem = problemOf(request);
    VolumeOutput output{.path = folder / "volume.h5", .name = "volume", .overwrite = true};
    output.ranks = measured.grid;
    output.loading = options.loading;

    std::vector<Reconstruction> runs;
    RankDivision division;
    for (int k = 0; k <= options.repeat; ++k) {
        say(k == 0 ? "warming up" : "run " + std::to_string(k) + " of " + std::to_string(options.repeat));
        WrittenVolume written = writeVolume(request, opened, output, {}, {}, ensemble);
        division = divisionOf(written);
        if (k > 0)
            runs.push_back(std::move(written.made));
    }
    measured.made = medians(runs);

    measured.rates = ratesOf(measured, request, division, options.loading, mostRanksOfAHost(ensemble));
    ensemble.exchange({}); // no rank reads the files any more
    return measured;
}

ModelComparison comparedToModel(const WrittenVolume& written, const Rates& rates)
{
    const Request& request = written.made.request;
    const RankDivision division = divisionOf(written);
    const Problem problem = problemOf(request, written.format.bytesPerValue());
    Rates ofRun = rates;
    ofRun.loading = written.loading;
    return compareToModel(predict(problem, ofRun, division.grid, division.passes), stagesOf(written.made));
}

} // namespace engine
