// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/measure/benchmark.h"
#include "app/cli/benchmark_beside.h"
#include "app/cli/benchmark_compare.h"
#include "app/cli/benchmark_text.h"
#include "app/cli/commands.h"
#include "app/cli/options.h"
#include "app/cli/progress_bar.h"
#include "app/cli/report_file.h"
#include "app/cli/scan_options.h"
#include "app/cli/text.h"
#include "engine/backends/devices.h"
#include "engine/backends/instruction_sets.h"
#include "engine/base/error.h"
#include "engine/base/number_text.h"
#include "engine/io/open/open_scan.h"
#include "engine/measure/benchmark_json.h"
#include "engine/measure/compare_speed.h"
#include "engine/measure/paper_steps.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <exception>
#include <iostream>
#include <memory>
#include <tuple>

namespace cli
{

namespace
{

struct BenchmarkOptions {
    engine::BenchmarkOptions benchmark;
    std::string device = "auto", interpolation, precision, memoryLimit, output;
    std::string volume;       // path of a scan, or size of a simulated one
    engine::OpenOptions open; // how to open the existing scan
    std::string json;
    bool overwrite = false, details = false;
    BenchmarkComparison comparison;
    std::string beside;     // Python whose programs are measured
    bool elsewhere = false; // lists published speeds
    bool card = false, planes = false;
};

std::vector<std::string> methodsWithInstructionSets()
{
    std::vector<std::string> ids;
    for (const engine::Method& method : engine::methods())
        if (engine::hasVariant(method, engine::processorTarget()) && std::ranges::find(ids, method.id) == ids.end())
            ids.push_back(method.id);
    return ids;
}

std::vector<std::string> yardsticks()
{
    std::vector<std::string> ids;
    for (const engine::Method& method : engine::methods())
        if (method.yardstick && std::ranges::find(ids, method.id) == ids.end())
            ids.emplace_back(method.id);
    return ids;
}

bool isSize(const std::string& text)
{
    return !text.empty() && text.size() < 6 && text.find_first_not_of("0123456789") == std::string::npos;
}

// Refuses options that have no meaning together.
void requireMeaning(const BenchmarkOptions& options)
{
    const engine::BenchmarkOptions& asked = options.benchmark;
    engine::require(asked.steps.empty() || (asked.methods.empty() && asked.variant.empty() && !asked.everyVariant &&
                                            options.interpolation.empty() && !asked.slicesPerPass),
                    "--steps chooses methods, variants, interpolation and slices per pass; leave out "
                    "--methods, --variant, --every-variant, --interpolation and --slices-per-pass");
    const bool isCone = asked.geometry == "cone" || (!asked.steps.empty() && engine::sequenceOf(asked.steps).cone);
    engine::require(isCone || asked.voxels == 0,
                    "--voxels applies only to cone beams; give --geometry cone, or leave it out");
    engine::require(isCone || asked.batch == 0, "--batch applies only to cone beams on a GPU; leave it out");
    if (options.volume.empty())
        return;
    const bool isMade = isSize(options.volume);
    engine::require(!options.planes || !isMade,
                    "--planes with --volume measures an existing scan; give its path, or leave out --volume and give "
                    "--size");
    engine::require(!isMade || engine::integerFromText(options.volume, "size") > 0,
                    "--volume: the size must be 1 or more");
    engine::require(options.planes || !options.output.empty(),
                    "--volume: --output must name the folder whose disk is to be measured");
}

// Sets the devices: several of them share a volume, or the slices of a run.
void setDevices(engine::BenchmarkOptions& benchmark, const std::string& text)
{
    using Kind = engine::BenchmarkOptions::Kind;
    engine::Resources resources;
    if (benchmark.kind == Kind::volume || benchmark.kind == Kind::methods)
        engine::setDevices(resources, text);
    else
        resources.device = engine::deviceFromText(text);
    const std::vector<engine::DeviceSettings> devices = engine::devicesOf(resources);
    for (const engine::DeviceSettings& device : devices) {
        engine::require(benchmark.kind == Kind::volume || device.backend == devices.front().backend,
                        "--device: each method runs on one kind of device; name GPUs of one kind, such as cuda:all, or "
                        "give --volume");
        engine::requireDevice(device, "; use --device cpu");
    }
    benchmark.device = resources.device;
    benchmark.others = resources.others;
}

// Returns what is to be measured.
engine::BenchmarkOptions benchmarkOf(const BenchmarkOptions& options)
{
    using Kind = engine::BenchmarkOptions::Kind;
    requireMeaning(options);
    engine::BenchmarkOptions asked = options.benchmark;
    asked.kind = options.card              ? Kind::card
                 : options.planes          ? Kind::planes
                 : !options.volume.empty() ? Kind::volume
                 : asked.mostSeconds > 0   ? Kind::sizes
                                           : Kind::methods;
    asked.folder = options.output;
    setDevices(asked, options.device);
    engine::requireVariant(asked.device, asked.variant);
    if (!asked.steps.empty())
        asked.geometry = engine::sequenceOf(asked.steps).cone ? "cone" : "parallel";
    if (!options.interpolation.empty())
        asked.interpolation = engine::interpolationFromText(options.interpolation);
    if (!options.precision.empty())
        asked.precision = engine::precisionFromText(options.precision);
    if (!options.memoryLimit.empty())
        asked.memoryLimitBytes = engine::bytesFromText(options.memoryLimit);
    if (isSize(options.volume))
        asked.size = static_cast<int>(engine::integerFromText(options.volume, "size"));
    else if (!options.volume.empty())
        asked.scan = engine::openScan(options.volume, options.open);
    return engine::withSizes(asked);
}

// Describes what the benchmark of a volume will write, and the least time that writing takes.
std::string writingText(const engine::BenchmarkOptions& asked)
{
    constexpr double commonDisk = 1e9; // bytes per second
    const bool isMade = !asked.scan;
    const double size = isMade ? asked.size : asked.scan->sliceSize(),
                 slices = isMade ? asked.slices : asked.scan->slices(), out = 4 * size * size * slices,
                 in = isMade ? (asked.sampleType == "uint16" ? 2.0 : 4.0) * size * asked.slices * asked.projections : 0;
    const std::string made = isMade ? engine::sizeText(in) + " of projections and " : "";
    return "Writes " + made + "twice " + engine::sizeText(out) + " of slices to '" + asked.folder.string() +
           "', and removes them again: " + number(std::ceil((in + 2 * out) / commonDisk)) +
           " s or more of writing at 1 GB/s, in addition to reading and reconstructing.\n";
}

// Describes what the benchmark will measure.
std::string announcement(const engine::BenchmarkOptions& asked)
{
    using Kind = engine::BenchmarkOptions::Kind;
    const std::string runs = ", " + std::to_string(asked.repeat + 1) + " runs of each";
    switch (asked.kind) {
    case Kind::card:
        return "Measures every method that `auto` may choose, with each interpolation, precision and number of slices "
               "per pass";
    case Kind::planes:
        return "Measures planes in six directions" + runs;
    case Kind::volume:
        return "Measures the disk, and a volume from disk to disk";
    case Kind::sizes:
        return "Measures one size after another" + runs + ", as far as a run takes " + number(asked.mostSeconds) +
               " s at most";
    case Kind::methods:
        break;
    }
    const int settings = engine::settingsOf(asked);
    return "Measures " + std::to_string(settings) + (settings == 1 ? " setting" : " settings") + runs;
}

int runBenchmark(const CLI::App& command, const BenchmarkOptions& options, const std::stop_token& stop)
{
    ReportFile report(options.json, options.overwrite);
    const engine::BenchmarkOptions asked = benchmarkOf(options);
    if (asked.scan)
        report.refuse(engine::ProtectedInputs(*asked.scan));
    if (asked.kind == engine::BenchmarkOptions::Kind::volume)
        std::cerr << writingText(asked);
    engine::Benchmark made;
    std::vector<engine::BenchmarkRow> rows;
    std::exception_ptr cancelled; // rethrown after the rows measured so far are printed
    {
        MeasurementProgress bar(announcement(asked));
        try {
            made = engine::runBenchmark(
                asked,
                {.onRow = [&](const engine::BenchmarkRow& row) { rows.push_back(row); },
                 .onProgress = [&](double fraction, const std::string& doing) { bar.show(fraction, doing); }},
                stop);
        } catch (const engine::Error& error) {
            if (error.kind() != engine::ErrorKind::cancelled || rows.empty())
                throw;
            cancelled = std::current_exception();
            made = engine::benchmarkOf(asked, rows);
        }
    }
    for (const std::string& what : made.leftOut)
        std::cerr << "Left out: " << what << '\n';
    engine::require(!made.rows.empty() || made.leftOut.empty(),
                    "--sweep: every problem is left out; give more seconds");
    if (made.rows.empty())
        throw engine::Error(engine::ErrorKind::device, "no method runs on the device " + options.device);
    if (asked.measuresPower &&
        std::ranges::none_of(made.rows, [](const engine::BenchmarkRow& row) { return row.watts > 0; }))
        std::cerr
            << "The power isn't known: only GPUs with NVML report it; a processor's counters (RAPL) can usually be "
               "read by root alone, and are not read.\n";
    if (made.command.empty())
        made.command = benchmarkCommandLine(command);
    report.write(engine::benchmarkJson(made));
    if (report.textWanted())
        printBenchmark(made, options.details);
    if (const std::vector<std::string>& methods = made.yardsticks; !methods.empty())
        (report.textWanted() ? std::cout : std::cerr)
            << "Left out, because made for accuracy, not for speed: " << joined(methods, ", ") << "; --methods "
            << joined(methods, ",") << " measures " << (methods.size() == 1 ? "it" : "them") << ".\n";
    if (cancelled)
        std::rethrow_exception(cancelled);
    return 0;
}

int runBeside(const BenchmarkOptions& options, const std::stop_token& stop)
{
    const engine::BenchmarkOptions& benchmark = options.benchmark;
    engine::require(options.volume.empty() && benchmark.mostSeconds == 0 && benchmark.geometry == "parallel",
                    "--beside measures a slice of a parallel beam; leave out --volume, --sweep and --geometry");
    engine::OthersOptions asked{.python = options.beside,
                                .projections = benchmark.projections,
                                .repeat = benchmark.repeat,
                                .threads = benchmark.threads};
    if (benchmark.size > 0)
        asked.size = benchmark.size;
    ReportFile report(options.json, options.overwrite);
    return benchmarkBeside(asked, report, stop);
}

int runWhatIsAsked(const CLI::App& command, const BenchmarkOptions& options, const std::stop_token& stop)
{
    if (!options.beside.empty() && options.comparison.other.empty())
        return runBeside(options, stop);
    if (!options.elsewhere && options.comparison.other.empty())
        return runBenchmark(command, options, stop);
    ReportFile report(options.json, options.overwrite);
    return options.elsewhere ? listElsewhere(report) : compareBenchmarks(command, options.comparison, report, stop);
}

std::vector<std::string> stepIds()
{
    std::vector<std::string> ids;
    for (const engine::PaperSequence& sequence : engine::paperSequences())
        ids.emplace_back(sequence.id);
    return ids;
}

// Adds the options of the problem that is timed.
void addProblem(CLI::App& command, BenchmarkOptions& options)
{
    addGeometry(command, options.benchmark.geometry)
        ->description("Methods for parallel beams, or for cone beams: N × N bins to N × N × N voxels")
        ->capture_default_str();
    CLI::Option* size =
        command
            .add_option("--size", options.benchmark.size, "Number of bins, and of pixels along each side of a slice")
            ->type_name("N")
            ->check(wholeNumber(1, 65536))
            ->default_str("512");
    CLI::Option* projections =
        command.add_option("--projections", options.benchmark.projections, "Number of projections")
            ->type_name("P")
            ->check(wholeNumber(1, 1'000'000))
            ->default_str("512");
    command.add_option("--interpolation", options.interpolation, "Only this interpolation");
    command.add_option("--precision", options.precision, "Only this precision: float or half");
    command.add_option("--slices-per-pass", options.benchmark.slicesPerPass, "Only this number of slices per pass");
    command
        .add_option("--slices", options.benchmark.slices,
                    "Slices per run on a GPU; with more than one pass, the pipeline is timed, including the filter. "
                    "With --volume: slices of the simulated scan. For cone beams: number of middle slices; default: "
                    "all")
        ->check(CLI::Range(0, 65536));
    CLI::Option* voxels =
        command
            .add_option_function<std::string>(
                "--voxels",
                [&benchmark = options.benchmark](const std::string& text) {
                    std::tie(benchmark.voxels, benchmark.volumeSlices) = sizesFromText(text, "voxels");
                },
                "For cone beams: voxels along each side of the volume; 1024x2048: of each slice, and number of slices")
            ->type_name("M|MxSLICES")
            ->check(takenBy([](const std::string& text) { sizesFromText(text, "voxels"); }));
    command
        .add_option("--sweep", options.benchmark.mostSeconds,
                    "Run problems of different sizes instead: for parallel beams 128² to 4096² pixels from as many "
                    "projections; for cone beams those of a published table, from 512² × 1024 to 2048² × 1024 pixels, "
                    "128³ to 1024² × 2048 voxels; with --steps those of its paper. Leaves out problems at which a "
                    "method, or all steps together, would take longer than SECONDS for one run")
        ->type_name("SECONDS")
        ->check(realNumber(0, 1e6, false))
        ->excludes(size)
        ->excludes(projections)
        ->excludes(voxels);
    command.add_flag("--details", options.details,
                     "Also show how the speed varies from run to run, the shares of filter and kernel, the clock "
                     "before and after, and a GPU kernel's registers, shared memory and occupancy");
    command.add_flag("--every-variant", options.benchmark.everyVariant,
                     "Also run each method with each of its variants");
    command
        .add_option("--steps", options.benchmark.steps,
                    "Run the optimisations of a paper one after another instead, and show their factors beside the "
                    "paper's, and the error of each on a phantom")
        ->type_name(choices(stepIds()))
        ->check(oneOf(stepIds()));
    command.add_flag("--power", options.benchmark.measuresPower,
                     "GPUs that report their power: runs each setting for another second, and shows watts and GU/s per "
                     "watt");
    command
        .add_option("--repeat", options.benchmark.repeat,
                    "Timed runs of each setting, after one warm-up run; fewer if they take longer than 6 s")
        ->type_name("R")
        ->check(wholeNumber(1, 100'000))
        ->capture_default_str();
}

void addVolumeOptions(CLI::App& command, BenchmarkOptions& options)
{
    command
        .add_option("--volume", options.volume,
                    "Time a whole volume from disk to disk instead, and the disk alone; an existing scan, or N: a "
                    "simulated one of N bins and, by default, N projections and slices")
        ->type_name("SCAN|N");
    addAllowOutside(command, options.open);
    command
        .add_option("--sample-type", options.benchmark.sampleType,
                    "With --volume N: type of the numbers of the simulated scan")
        ->type_name("uint16|float32")
        ->check(oneOf({"uint16", "float32"}))
        ->capture_default_str();
    command
        .add_option("--output", options.output, "With --volume: folder to write to; everything is removed afterwards")
        ->type_name("DIR");
    command
        .add_option(
            "--memory-limit", options.memoryLimit,
            "With --volume: memory that may be used, such as 800M, 12GB or 12GiB; default: half of the machine's")
        ->type_name("SIZE")
        ->check(takenBy(engine::bytesFromText));
}

void addMethodOptions(CLI::App& command, BenchmarkOptions& options)
{
    addMethods(command, options.benchmark.methods)
        ->description(
            "Only these methods, separated by commas; default: all but those made for accuracy, not for speed (" +
            joined(yardsticks(), ", ") + ")");
    command
        .add_option("--instruction-sets", options.benchmark.instructionSets,
                    "Instruction sets for the methods " + joined(methodsWithInstructionSets(), " and ") +
                        ", run alternately; default: the best")
        ->delimiter(',')
        ->type_name(choices(engine::knownTargets()))
        ->check(oneOf(engine::processorTargets()));
    addVariant(command, options.benchmark.variant);
    command
        .add_option("--batch", options.benchmark.batch,
                    "Cone beams on a GPU: most projections that a kernel adds in one launch; 0: the program chooses")
        ->type_name("B")
        ->check(wholeNumber(0, 512))
        ->capture_default_str();
    addDevice(command, options.device);
    addThreads(command, options.benchmark.threads);
}

void addComparison(CLI::App& command, BenchmarkOptions& options)
{
    command
        .add_option("--compare", options.comparison.other,
                    "The sinoscope-cli of another build, run alternately with this one, or an earlier report of "
                    "--json: speed ratios with their 95 % intervals. Exit status 1 if a whole interval lies below 0.98")
        ->type_name("PROGRAM|FILE")
        ->check(CLI::ExistingFile);
    command
        .add_option(
            "--beside", options.beside,
            "A Python, such as python3 or that of a virtual environment: scikit-image, ASTRA, silx and tomopy, as "
            "far as it has them, reconstruct the same slice, and their images are compared with this program's")
        ->type_name("PYTHON");
    command.add_flag("--elsewhere", options.elsewhere,
                     "Measure nothing; list speeds of other programs, and of this one, that were measured on other "
                     "machines");
    command.add_flag(
        "--card", options.card,
        "One page about this machine: the fastest method of each interpolation and precision, its share of "
        "the device's limits, and its error. The window saves it as a picture");
    command
        .add_flag(
            "--planes", options.planes,
            "Planes through a simulated scan whose filtered projections are cached, as in a view of planes: "
            "one column, row and slice, three planes at angles, of N × N pixels, and three planes after each move "
            "of the cross-hair. With --volume SCAN: through an existing scan")
        ->excludes("--sweep")
        ->excludes("--steps");
    command.add_option("--pairs", options.comparison.pairs, "With --compare: number of pairs of runs")
        ->type_name("N")
        ->check(wholeNumber(engine::leastPairs, 1000))
        ->capture_default_str();
}

} // namespace

Command benchmarkCommand(CLI::App& program)
{
    CLI::App* command =
        program.add_subcommand("benchmark", "Time each method on this machine, in giga-updates per second (GU/s)");
    command->footer(
        "Examples:\n"
        "  sinoscope-cli benchmark\n"
        "  sinoscope-cli benchmark --size 1024 --projections 1024 --methods cpu --repeat 10 --json speed.json\n"
        "  sinoscope-cli benchmark --geometry cone --size 512 --projections 360 --every-variant\n"
        "  sinoscope-cli benchmark --sweep 60 --details\n"
        "  sinoscope-cli benchmark --geometry cone --sweep 60 --json sweep.json\n"
        "  sinoscope-cli benchmark --steps ladder --size 128 --projections 128\n"
        "  sinoscope-cli benchmark --steps ladder --sweep 60\n"
        "  sinoscope-cli benchmark --volume 1024 --output /data/scratch --json disk.json\n"
        "  sinoscope-cli benchmark --methods cpu --compare /opt/older/bin/sinoscope-cli\n"
        "  sinoscope-cli benchmark --beside python3 --size 1023\n"
        "  sinoscope-cli benchmark --card --json card.json\n"
        "  sinoscope-cli benchmark --planes --size 1024 --projections 1024 --precision half");
    const auto options = std::make_shared<BenchmarkOptions>();
    addProblem(*command, *options);
    addVolumeOptions(*command, *options);
    addMethodOptions(*command, *options);
    addComparison(*command, *options);
    addJson(*command, options->json, options->overwrite);
    return {command, [options, command](std::stop_token stop) { return runWhatIsAsked(*command, *options, stop); }};
}

} // namespace cli
