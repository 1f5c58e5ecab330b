// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/measure/cluster_benchmark.h"
#include "app/cli/commands.h"
#include "app/cli/model_text.h"
#include "app/cli/options.h"
#include "app/cli/report_file.h"
#include "app/cli/text.h"
#include "engine/backends/devices.h"
#include "engine/base/error.h"
#include "engine/documents/measured_report.h"
#include "engine/volume/ensemble.h"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <iostream>
#include <memory>

namespace cli
{

namespace
{

struct ClusterOptions {
    engine::ClusterBenchmarkOptions benchmark;
    int projectionsPerRank = 0; // weak scaling; 0: as many projections for any number of ranks
    std::string grid, loading = "bands", folder = ".", device = "auto", json;
    bool overwrite = false;
};

int measure(ClusterOptions options, engine::Ensemble& ensemble)
{
    engine::ClusterBenchmarkOptions& benchmark = options.benchmark;
    engine::setDevices(benchmark.resources, options.device);
    for (const engine::DeviceSettings& device : engine::devicesOf(benchmark.resources))
        engine::requireDevice(device, "; use --device cpu");
    benchmark.folder = options.folder;
    benchmark.loading = engine::loadingFromText(options.loading);
    if (options.projectionsPerRank > 0)
        benchmark.projections = options.projectionsPerRank * ensemble.size();
    if (!options.grid.empty()) {
        benchmark.grid = engine::rankGridFromText(options.grid);
        engine::requireRanks(benchmark.grid, ensemble.size());
    }
    if (ensemble.isFirst() && !std::filesystem::is_directory(options.folder))
        throw engine::Error(engine::ErrorKind::badRequest, "--folder: there is no folder '" + options.folder + "'");
    ReportFile report(ensemble.isFirst() ? options.json : std::string(), options.overwrite);
    const engine::MeasuredRates measured = engine::measureRates(benchmark, ensemble, [&](const std::string& doing) {
        if (report.textWanted() && ensemble.isFirst())
            std::cerr << doing << '\n';
    });
    report.write(engine::measuredRatesJson(measured));
    if (!report.textWanted() || !ensemble.isFirst())
        return 0;
    std::cout << "ranks " << engine::toText(measured.grid) << '\n' << machineText(measured.problem, measured.rates);
    return 0;
}

} // namespace

Command clusterBenchmarkCommand(CLI::App& program, engine::Ensemble& ensemble)
{
    CLI::App* command = program.add_subcommand(
        "benchmark",
        "Measure the rate of each stage of a cone beam's volume on this machine, for `sinoscope-cli model`");
    const auto options = std::make_shared<ClusterOptions>();
    engine::ClusterBenchmarkOptions& benchmark = options->benchmark;
    command->add_option("--size", benchmark.size, "Bins and rows of the detector, and voxels along each side")
        ->check(wholeNumber(16, 4096))
        ->capture_default_str()
        ->type_name("N (16…4096)");
    CLI::Option* projections = command->add_option("--projections", benchmark.projections, "Projections over 360°")
                                   ->check(wholeNumber(2, 100000))
                                   ->capture_default_str()
                                   ->type_name("N");
    command
        ->add_option("--projections-per-rank", options->projectionsPerRank,
                     "Weak scaling: as many projections for each rank, so that runs with more ranks have more")
        ->check(wholeNumber(1, 10000))
        ->type_name("N")
        ->excludes(projections);
    command
        ->add_option("--grid", options->grid,
                     "Rows and columns of ranks; default: two columns if the number of ranks is even")
        ->type_name("ROWSxCOLUMNS");
    addLoading(*command, options->loading);
    command->add_option("--device", options->device, "auto, cpu, cuda or cuda:N")->capture_default_str();
    command->add_option("--threads", benchmark.resources.threads, "Processor threads of each rank; 0: its share")
        ->check(wholeNumber(0, 4096))
        ->capture_default_str();
    command->add_option("--repeat", benchmark.repeat, "Timed runs, after one warm-up run; the medians are reported")
        ->check(wholeNumber(1, 100))
        ->capture_default_str();
    command
        ->add_option("--folder", options->folder,
                     "Place of a temporary folder for the scan and the volume; all ranks must have access to it")
        ->capture_default_str()
        ->type_name("DIR");
    addJson(*command, options->json, options->overwrite);
    command->footer("Examples:\n"
                    "  mpirun -n 4 sinoscope-mpi benchmark --json rates.json\n"
                    "  mpirun -n 8 sinoscope-mpi benchmark --projections-per-rank 64\n"
                    "  sinoscope-cli model --rates rates.json --ranks 1,4,16,64");
    return {command, [options, &ensemble](std::stop_token) {
                int status = 0;
                engine::together(ensemble, [&] { status = measure(*options, ensemble); });
                return status;
            }};
}

} // namespace cli
