// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/measure/benchmark.h"
#include "app/cli/benchmark_beside.h"
#include "app/cli/benchmark_card.h"
#include "app/cli/benchmark_compare.h"
#include "app/cli/benchmark_planes.h"
#include "app/cli/benchmark_text.h"
#include "app/cli/commands.h"
#include "app/cli/options.h"
#include "app/cli/progress_bar.h"
#include "app/cli/report_file.h"
#include "app/cli/scan_options.h"
#include "app/cli/text.h"
#include "engine/backproject/paper_steps.h"
#include "engine/backproject/parallel/cpu/kernels.h"
#include "engine/backproject/parallel/cuda/tuning.h"
#include "engine/base/error.h"
#include "engine/base/number_text.h"
#include "engine/documents/measured_report.h"
#include "engine/io/open/open_scan.h"
#include "engine/measure/compare_speed.h"
#include "engine/measure/volume_benchmark.h"

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
    std::string device = "auto";
    std::string interpolation, precision;
    std::string json;
    bool overwrite = false;
    std::string sampleType = "uint16"; // of simulated scans
    std::string volume, output;        // disk-to-disk: path of a scan or size of a simulated one; output folder
    engine::OpenOptions open;          // how to open the existing scan
    std::string memoryLimit;
    bool projectionsGiven = false;
    double sweepSeconds = 0; // 0: no sweep
    bool details = false;
    BenchmarkComparison comparison;
    std::string beside;     // Python whose programs are measured
    bool elsewhere = false; // lists published speeds
    bool card = false;      // measures engine::MachineCard
    bool planes = false;    // measures engine::PlaneBenchmark
    bool sizeGiven = false, repeatGiven = false;
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

engine::VolumeBenchmarkOptions volumeOptions(const BenchmarkOptions& options)
{
    engine::VolumeBenchmarkOptions volume;
    if (isSize(options.volume)) {
        volume.size = static_cast<int>(engine::integerFromText(options.volume, "size"));
        if (volume.size < 1)
            throw engine::Error(engine::ErrorKind::badRequest, "--volume: the size must be 1 or more");
        volume.projections = options.projectionsGiven ? options.benchmark.projections : volume.size;
        volume.slices = options.benchmark.slices > 0 ? options.benchmark.slices : volume.size;
        volume.sampleType = options.sampleType;
    } else {
        volume.scan = engine::openScan(options.volume, options.open);
    }
    if (options.output.empty())
        throw engine::Error(engine::ErrorKind::badRequest,
                            "--volume: --output must name the folder whose disk is to be measured");
    volume.folder = options.output;
    volume.device = engine::deviceFromText(options.device);
    volume.threads = options.benchmark.threads;
    if (!options.memoryLimit.empty())
        volume.memoryLimitBytes = engine::bytesFromText(options.memoryLimit);
    if (!options.precision.empty())
        volume.precision = engine::precisionFromText(options.precision);
    return volume;
}

std::string rate(double bytesPerSecond)
{
    return number(bytesPerSecond / 1e9, 3) + " GB/s";
}

void print(const engine::VolumeBenchmark& benchmark)
{
    const engine::Reconstruction& first = benchmark.runs.front().made;
    std::cout << listing({{"scan", benchmark.scan + ", " + std::to_string(first.request.place.slices.count) + " × " +
                                       std::to_string(first.grid.size) + "² from " +
                                       std::to_string(first.request.scan->projections()) + " projections"},
                          {"device", first.device},
                          {"method", first.method + ", " + std::to_string(first.request.setting.kernel.slicesPerPass) +
                                         " slices per pass, " + engine::toText(first.request.setting.kernel.precision)},
                          {"disk", "reads " + rate(benchmark.machineRead) + ", writes one file at " +
                                       rate(benchmark.machineWriteFile) + ", many at " +
                                       rate(benchmark.machineWriteFiles)}})
              << '\n';
    std::vector<std::vector<std::string>> cells = {{"output", "whole", "over the slowest", "compute", "read alone",
                                                    "of disk", "prepare alone", "write alone", "of disk"}};
    for (const engine::MeasuredVolume& run : benchmark.runs) {
        const engine::Timings& times = run.made.timings;
        cells.push_back({run.output, seconds(times.elapsedSeconds), number(run.wholeOverSlowest, 3) + " ×",
                         seconds(times.totalSeconds), rate(run.readAlone), number(100 * run.readOverMachine, 3) + " %",
                         rate(run.prepareAlone), rate(run.writeAlone), number(100 * run.writeOverMachine, 3) + " %"});
    }
    std::cout << table(cells);
}

// Describes what the benchmark will write, and the least time that writing takes.
std::string announcement(const engine::VolumeBenchmarkOptions& asked)
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

int runVolumeBenchmark(const BenchmarkOptions& options, std::stop_token stop)
{
    ReportFile report(options.json, options.overwrite);
    requireDevice(engine::deviceFromText(options.device));
    const engine::VolumeBenchmarkOptions asked = volumeOptions(options);
    if (asked.scan)
        report.refuse(engine::ProtectedInputs(*asked.scan));
    std::cerr << announcement(asked);
    engine::VolumeBenchmark measured;
    {
        ProgressBar bar(true);
        measured = engine::benchmarkVolume(
            asked, [&](double fraction, const std::string& doing) { bar.show(fraction, doing); }, stop);
    }
    report.write(engine::volumeBenchmarkJson(measured));
    if (report.textWanted())
        print(measured);
    return 0;
}

void requireCone(const BenchmarkOptions& options)
{
    const engine::BenchmarkOptions& asked = options.benchmark;
    if (asked.geometry != "cone" && asked.voxels > 0)
        throw engine::Error(engine::ErrorKind::badRequest,
                            "--voxels applies only to cone beams; give --geometry cone, or leave it out");
}

int runComparison(const CLI::App& command, const BenchmarkOptions& options, const std::stop_token& stop)
{
    if (!options.volume.empty() || options.sweepSeconds > 0)
        throw engine::Error(engine::ErrorKind::badRequest,
                            "--compare compares methods; leave out --volume and --sweep");
    ReportFile report(options.json, options.overwrite);
    return compareBenchmarks(command, options.comparison, report, stop);
}

int runBeside(const BenchmarkOptions& options, const std::stop_token& stop)
{
    if (!options.volume.empty() || options.sweepSeconds > 0 || options.benchmark.geometry != "parallel")
        throw engine::Error(engine::ErrorKind::badRequest,
                            "--beside measures a slice of a parallel beam; leave out --volume, --sweep and --geometry");
    engine::OthersOptions asked;
    asked.python = options.beside;
    if (options.sizeGiven)
        asked.size = options.benchmark.size;
    if (options.projectionsGiven)
        asked.projections = options.benchmark.projections;
    if (options.repeatGiven)
        asked.repeat = options.benchmark.repeat;
    asked.threads = options.benchmark.threads;
    ReportFile report(options.json, options.overwrite);
    return benchmarkBeside(asked, report, stop);
}

int runCard(const BenchmarkOptions& options, const std::stop_token& stop)
{
    engine::CardOptions asked;
    asked.device = engine::deviceFromText(options.device);
    if (options.sizeGiven)
        asked.size = options.benchmark.size;
    if (options.repeatGiven)
        asked.repeat = options.benchmark.repeat;
    asked.threads = options.benchmark.threads;
    ReportFile report(options.json, options.overwrite);
    return measuredCard(asked, report, stop);
}

int runPlanes(const BenchmarkOptions& options, const std::stop_token& stop)
{
    engine::PlaneBenchmarkOptions asked;
    asked.geometry = options.benchmark.geometry;
    asked.size = options.benchmark.size;
    asked.projections = options.benchmark.projections;
    asked.device = engine::deviceFromText(options.device);
    requireDevice(asked.device);
    if (!options.precision.empty())
        asked.precision = engine::precisionFromText(options.precision);
    if (!options.interpolation.empty())
        asked.interpolation = engine::interpolationFromText(options.interpolation);
    asked.repeat = options.benchmark.repeat;
    asked.threads = options.benchmark.threads;
    if (!options.volume.empty()) {
        if (isSize(options.volume))
            throw engine::Error(engine::ErrorKind::badRequest,
                                "--planes with --volume measures an existing scan; give its path, or leave out "
                                "--volume and give --size");
        asked.scan = engine::openScan(options.volume, options.open);
    }
    ReportFile report(options.json, options.overwrite);
    if (asked.scan)
        report.refuse(engine::ProtectedInputs(*asked.scan));
    return measuredPlanes(asked, report, stop);
}

// Describes what the benchmark will measure.
std::string announcement(const BenchmarkOptions& options)
{
    const std::string runs = ", " + std::to_string(options.benchmark.repeat + 1) + " runs of each";
    if (options.sweepSeconds > 0)
        return "Measures one size after another" + runs + ", as far as a run takes " + number(options.sweepSeconds) +
               " s at most";
    const int settings = engine::planBenchmark(options.benchmark).settings;
    return "Measures " + std::to_string(settings) + (settings == 1 ? " setting" : " settings") + runs;
}

void tellLeftOut(std::ostream& out, const std::vector<std::string>& methods)
{
    if (!methods.empty())
        out << "Left out, because made for accuracy, not for speed: " << joined(methods, ", ") << "; --methods "
            << joined(methods, ",") << " measures " << (methods.size() == 1 ? "it" : "them") << ".\n";
}

int runBenchmark(BenchmarkOptions options, std::stop_token stop)
{
    if (!options.benchmark.steps.empty() &&
        (!options.benchmark.methods.empty() || !options.benchmark.variant.empty() || options.benchmark.everyVariant ||
         !options.interpolation.empty() || options.benchmark.slicesPerPass))
        throw engine::Error(engine::ErrorKind::badRequest,
                            "--steps chooses methods, variants, interpolation and slices per pass; leave out "
                            "--methods, --variant, --every-variant, --interpolation and --slices-per-pass");
    if (!options.benchmark.steps.empty())
        options.benchmark.geometry = engine::sequenceOf(options.benchmark.steps).cone ? "cone" : "parallel";
    requireCone(options);
    if (options.benchmark.batch > 0 && options.benchmark.geometry != "cone")
        throw engine::Error(engine::ErrorKind::badRequest, "--batch applies only to cone beams on a GPU; leave it out");
    ReportFile report(options.json, options.overwrite);
    options.benchmark.device = engine::deviceFromText(options.device);
    requireDevice(options.benchmark.device);
    if (options.benchmark.device.kind != engine::DeviceSettings::Kind::opencl) // compiled at run time
        engine::cuda::requireAluTuning(options.benchmark.variant);
    if (!options.interpolation.empty())
        options.benchmark.interpolation = engine::interpolationFromText(options.interpolation);
    if (!options.precision.empty())
        options.benchmark.precision = engine::precisionFromText(options.precision);
    std::vector<engine::BenchmarkRow> rows;
    std::vector<std::string> skipped;
    std::exception_ptr cancelled; // rethrown after the rows measured so far are printed
    {
        MeasurementProgress bar(announcement(options));
        const auto onRow = [&](const engine::BenchmarkRow& row) { rows.push_back(row); };
        const auto onFraction = [&](double fraction) {
            bar.show(fraction, rows.empty() ? "measuring" : rows.back().method + " " + settingText(rows.back()));
        };
        try {
            if (options.sweepSeconds > 0)
                engine::sweepProblems(
                    options.benchmark, options.sweepSeconds, onRow,
                    [&](const std::string& what) { skipped.push_back(what); }, stop, onFraction);
            else
                engine::benchmarkMethods(options.benchmark, onRow, stop, onFraction);
        } catch (const engine::Error& error) {
            if (error.kind() != engine::ErrorKind::cancelled || rows.empty())
                throw;
            cancelled = std::current_exception();
        }
    }
    for (const std::string& what : skipped)
        std::cerr << "Left out: " << what << '\n';
    if (rows.empty() && !skipped.empty())
        throw engine::Error(engine::ErrorKind::badRequest, "--sweep: every problem is left out; give more seconds");
    if (rows.empty())
        throw engine::Error(engine::ErrorKind::device, "no method runs on the device " + options.device);
    if (options.benchmark.measuresPower &&
        std::ranges::none_of(rows, [](const engine::BenchmarkRow& row) { return row.watts > 0; }))
        std::cerr
            << "The power isn't known: only GPUs with NVML report it; a processor's counters (RAPL) can usually be "
               "read by root alone, and are not read.\n";
    const engine::MachinePeaks peaks = engine::addLimits(rows);
    report.write(engine::benchmarkJson(rows, peaks));
    if (report.textWanted()) {
        printBenchmark(rows, peaks);
        if (options.details)
            printBenchmarkDetails(rows, peaks);
        if (!options.benchmark.steps.empty())
            printPaper(engine::sequenceOf(options.benchmark.steps), rows);
    }
    if (options.sweepSeconds == 0)
        tellLeftOut(report.textWanted() ? std::cout : std::cerr, engine::planBenchmark(options.benchmark).leftOut);
    if (cancelled)
        std::rethrow_exception(cancelled);
    return 0;
}

std::vector<std::string> stepIds()
{
    std::vector<std::string> ids;
    for (const engine::PaperSequence& sequence : engine::paperSequences())
        ids.emplace_back(sequence.id);
    return ids;
}

// Adds the options of the problem that is timed. Returns the option for the number of projections.
CLI::Option* addProblem(CLI::App& command, BenchmarkOptions& options)
{
    addGeometry(command, options.benchmark.geometry)
        ->description("Methods for parallel beams, or for cone beams: N × N bins to N × N × N voxels")
        ->capture_default_str();
    CLI::Option* size =
        command
            .add_option("--size", options.benchmark.size, "Number of bins, and of pixels along each side of a slice")
            ->type_name("N")
            ->check(wholeNumber(1, 65536))
            ->capture_default_str();
    CLI::Option* projections =
        command.add_option("--projections", options.benchmark.projections, "Number of projections")
            ->type_name("P")
            ->check(wholeNumber(1, 1'000'000))
            ->capture_default_str();
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
        .add_option("--sweep", options.sweepSeconds,
                    "Run problems of different sizes instead: for parallel beams 256² to 4096² pixels from as many "
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
                    "paper's")
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
    return projections;
}

int runWhatIsAsked(const BenchmarkOptions& options, const std::stop_token& stop)
{
    if (!options.beside.empty())
        return runBeside(options, stop);
    if (options.card)
        return runCard(options, stop);
    if (options.planes)
        return runPlanes(options, stop);
    if (options.elsewhere) {
        ReportFile report(options.json, options.overwrite);
        return listElsewhere(report);
    }
    return options.volume.empty() ? runBenchmark(options, stop) : runVolumeBenchmark(options, stop);
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
        .add_option("--sample-type", options.sampleType, "With --volume N: type of the numbers of the simulated scan")
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
    CLI::Option* projections = addProblem(*command, *options);
    addVolumeOptions(*command, *options);
    addMethodOptions(*command, *options);
    addComparison(*command, *options);
    addJson(*command, options->json, options->overwrite);
    return {command, [options, projections, command](std::stop_token stop) {
                options->projectionsGiven = projections->count() > 0;
                options->sizeGiven = command->count("--size") > 0;
                options->repeatGiven = command->count("--repeat") > 0;
                if (!options->comparison.other.empty())
                    return runComparison(*command, *options, stop);
                return runWhatIsAsked(*options, stop);
            }};
}

} // namespace cli
