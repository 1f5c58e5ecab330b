#include "engine/measure/benchmark.h"
#include "app/cli/commands.h"
#include "app/cli/options.h"
#include "app/cli/progress_bar.h"
#include "app/cli/report_file.h"
#include "app/cli/text.h"
#include "engine/backproject/parallel/cpu/kernels.h"
#include "engine/backproject/parallel/cuda/tuning.h"
#include "engine/error.h"
#include "engine/report.h"

#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>
#include <set>

namespace cli
{

namespace
{

struct BenchmarkOptions {
    engine::BenchmarkOptions benchmark;
    std::string aluTuning = engine::cuda::aluVariants[0].id;
    std::string device = "auto";
    std::string interpolation, precision;
    std::string json;
};

std::string settingText(const engine::BenchmarkRow& row)
{
    return engine::toText(row.interpolation) +
           (row.interpolation == engine::Interpolation::oversampled ? ":" + std::to_string(row.oversampling) : "");
}

// Of the instruction sets that rows were measured with.
std::vector<engine::ProcessorPeaks> peaksOf(const std::vector<engine::BenchmarkRow>& rows)
{
    std::set<std::string> names;
    for (const engine::BenchmarkRow& row : rows)
        if (!row.instructionSet.empty())
            names.insert(row.instructionSet);
    std::vector<engine::ProcessorPeaks> peaks;
    for (const std::string& name : names) {
        engine::forceProcessorTarget(name);
        peaks.push_back(engine::processorPeaks());
    }
    engine::forceProcessorTarget("");
    return peaks;
}

void print(const std::vector<engine::BenchmarkRow>& rows, const std::vector<engine::ProcessorPeaks>& peaks)
{
    std::vector<std::vector<std::string>> cells = {{"method", "interpolation", "precision", "slices", "kernel GU/s",
                                                    "total GU/s", "kernel", "fastest", "slowest", "of texture peak"}};
    for (const engine::BenchmarkRow& row : rows)
        cells.push_back({row.method + (row.variant.empty() ? "" : " (" + row.variant + ")") +
                             (row.instructionSet.empty() ? "" : " " + row.instructionSet),
                         settingText(row), engine::toText(row.precision), std::to_string(row.slicesPerPass),
                         number(row.kernelGups), number(row.totalGups), seconds(row.kernelSeconds),
                         seconds(row.fastestKernelSeconds), seconds(row.slowestKernelSeconds),
                         row.texturePeakShare > 0 ? number(100 * row.texturePeakShare, 3) + " %" : "–"});
    std::cout << rows.front().device << ", " << rows.front().size << "² pixels a slice, " << rows.front().projections
              << " projections; medians\n\n"
              << table(cells);
    for (const engine::ProcessorPeaks& peak : peaks)
        std::cout << "\nOne core, " << peak.instructionSet << ", 10⁹ floats a second: multiply-adds "
                  << number(peak.multiplyAdds) << ", shuffles " << number(peak.shuffles) << ", loads "
                  << number(peak.loads) << ", 16-bit pairs " << number(peak.fixedPairs)
                  << ".\nLinear interpolation can't pass, GU/s: one slice " << number(peak.oneSlice())
                  << ", many slices " << number(peak.manySlices()) << ", of half data " << number(peak.manySlicesHalf())
                  << ".\n";
}

int runBenchmark(BenchmarkOptions options, std::stop_token stop)
{
    ReportFile report(options.json);
    options.benchmark.device = engine::deviceFromText(options.device);
    requireDevice(options.benchmark.device);
    engine::cuda::requireAluTuning(options.aluTuning);
    options.benchmark.variant = engine::cuda::variantOfTuning(options.aluTuning);
    if (!options.interpolation.empty())
        options.benchmark.interpolation = engine::interpolationFromText(options.interpolation);
    if (!options.precision.empty())
        options.benchmark.precision = engine::precisionFromText(options.precision);
    std::vector<engine::BenchmarkRow> rows;
    {
        ProgressBar bar;
        bar.show(0, "warming up");
        int done = 0;
        rows = engine::benchmarkMethods(
            options.benchmark,
            [&](const engine::BenchmarkRow& row) {
                // How many rows will come isn't known: the bar only comes closer to its end.
                ++done;
                bar.show(done / (done + 8.0), row.method + " " + settingText(row));
            },
            stop);
    }
    if (rows.empty())
        throw engine::Error(engine::ErrorKind::device, "no method runs on the device " + options.device);
    const std::vector<engine::ProcessorPeaks> peaks = peaksOf(rows);
    report.write(engine::benchmarkJson(rows, peaks));
    if (report.textWanted())
        print(rows, peaks);
    return 0;
}

} // namespace

Command benchmarkCommand(CLI::App& program)
{
    CLI::App* command = program.add_subcommand("benchmark", "Time each method here, in giga-updates a second (GU/s)");
    command->footer(
        "Examples:\n"
        "  sinoscope-cli benchmark\n"
        "  sinoscope-cli benchmark --size 1024 --projections 1024 --methods cpu --repeat 10 --json speed.json");
    const auto options = std::make_shared<BenchmarkOptions>();
    command->add_option("--size", options->benchmark.size, "Bins, and pixels along each side of a slice")
        ->type_name("N")
        ->check(wholeNumber(1, 65536))
        ->capture_default_str();
    command->add_option("--projections", options->benchmark.projections, "Number of projections")
        ->type_name("P")
        ->check(wholeNumber(1, 1'000'000))
        ->capture_default_str();
    command->add_option("--interpolation", options->interpolation, "Only this interpolation");
    command->add_option("--precision", options->precision, "Only this precision: float or half");
    command->add_option("--slices-per-pass", options->benchmark.slicesPerPass, "Only this slice mode");
    command
        ->add_option("--slices", options->benchmark.slices,
                     "Slices of a run on a GPU; more than one pass go through the pipeline, filter included")
        ->check(CLI::Range(0, 65536));
    command->add_option("--repeat", options->benchmark.repeat, "Counted runs of each, after one to warm up")
        ->type_name("R")
        ->check(wholeNumber(1, 100'000))
        ->capture_default_str();
    addMethods(*command, options->benchmark.methods);
    command
        ->add_option("--instruction-sets", options->benchmark.instructionSets,
                     "Of the methods cpu and double, taking turns; the best when left out")
        ->delimiter(',')
        ->type_name(choices(engine::processorTargets()))
        ->check(oneOf(engine::processorTargets()));
    addAluTuning(*command, options->aluTuning);
    addDevice(*command, options->device);
    addThreads(*command, options->benchmark.threads);
    addJson(*command, options->json);
    return {command, [options](std::stop_token stop) { return runBenchmark(*options, stop); }};
}

} // namespace cli
