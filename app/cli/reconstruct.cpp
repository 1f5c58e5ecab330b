// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/reconstruct/reconstruct.h"
#include "app/cli/commands.h"
#include "app/cli/last_words.h"
#include "app/cli/model_text.h"
#include "app/cli/options.h"
#include "app/cli/progress_bar.h"
#include "app/cli/reconstruct_options.h"
#include "app/cli/reconstruct_text.h"
#include "app/cli/report_file.h"
#include "app/cli/text.h"
#include "engine/axis/tilt.h"
#include "engine/backends/backend.h"
#include "engine/backends/method.h"
#include "engine/base/error.h"
#include "engine/base/stopwatch.h"
#include "engine/documents/report.h"
#include "engine/measure/cluster_benchmark.h"
#include "engine/resolve/resolve.h"
#include "engine/volume/batch.h"
#include "engine/volume/ensemble.h"
#include "engine/volume/performance_model_json.h"
#include "engine/volume/slice_division.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>
#include <new>
#include <numbers>
#include <optional>
#include <set>

namespace cli
{

namespace fs = std::filesystem;
using engine::Error;
using engine::ErrorKind;

namespace
{

constexpr const char* cancelledWhereItResumes =
    "cancelled: complete slices are kept, and the same command continues where this one stopped";

// Throws if the method does not have the variant or the batches given; the program may have chosen the method.
void requireKernelOptions(const engine::Request& request)
{
    const std::string& variant = request.setting.kernel.variant;
    const engine::Method& method = *engine::resolve(request).method;
    if (!variant.empty() && !engine::hasVariant(method, variant))
        throw Error(ErrorKind::badRequest, std::string("--variant: `") + method.id + "`, which is used here, has no '" +
                                               variant + "'; select a method that has it with --method");
    if (request.setting.kernel.batch > 0 && method.backend->isProcessor)
        throw Error(ErrorKind::badRequest, std::string("--batch: `") + method.id +
                                               "`, which is used here, has no batches; the methods for cone beams on "
                                               "GPUs have them");
}

// One scan, ready to be reconstructed.
struct Work {
    engine::OpenOptions opened;
    engine::Request request;
    engine::ProtectedInputs inputs;
    std::optional<engine::AxisTilt> axisOfRows = {}; // result of --axis-rows; only the first rank has it
};

// Finds axis and tilt from several rows and writes both into the request.
void takeAxisOfRows(const ReconstructOptions& options, Work& work, engine::Ensemble& ensemble)
{
    engine::Request& request = work.request;
    for (const char* id : {"axis", "axis-tilt"})
        if (!options.texts.at(id).empty())
            throw Error(ErrorKind::badRequest,
                        std::string("--axis-rows finds the axis and its tilt: leave out --") + id);
    std::string bins, tilt; // found by the first rank, and sent to all
    if (ensemble.isFirst()) {
        const engine::AxisTilt found = engine::findAxisTilt(request, options.axisRows, {}, ensemble.token());
        if (!found.doubt.empty())
            std::cerr << "warning: " << words(request.scan->name + ": " + found.doubt) << '\n';
        work.axisOfRows = found;
        bins = engine::numberToText(found.bins);
        tilt = engine::numberToText(std::round(found.tiltRad * 180 / std::numbers::pi * 1000) / 1000);
    }
    request.setting.axis = {engine::AxisSettings::Mode::given,
                            engine::realFromText(engine::toldByFirst(ensemble, bins), "axis")};
    engine::setField(engine::option("axis-tilt"), request, engine::toldByFirst(ensemble, tilt));
}

// Returns the files that are read in addition to the scan, including the other scans of the command.
std::vector<engine::NamedInput> alsoRead(const ReconstructOptions& options)
{
    std::vector<engine::NamedInput> inputs{
        {options.settings, "--settings"}, {options.recipe, "--recipe"}, {options.rates, "--rates"}};
    for (const std::string& scan : options.scans)
        inputs.push_back({scan, "SCAN"});
    return inputs;
}

Work workOf(const ReconstructOptions& options, const std::string& scan, const std::optional<engine::Recipe>& recipe,
            engine::Ensemble& ensemble)
{
    const std::stop_token stop = ensemble.token();
    Work work{.opened = openedWith(options, recipe), .request = {}, .inputs = {}};
    work.request = requestOf(options, recipe, engine::openScan(scan, work.opened, stop));
    work.inputs = engine::ProtectedInputs(*work.request.scan);
    for (const engine::NamedInput& input : alsoRead(options))
        work.inputs.add(input);
    const engine::Scan& opened = *work.request.scan;
    warnOfValues(opened);
    if (options.axisRows > 0)
        takeAxisOfRows(options, work, ensemble);
    engine::takeShareOfMachine(work.request, ensemble, choosesPasses(options, recipe));
    engine::validate(work.request);
    requireKernelOptions(work.request);
    return work;
}

engine::VolumeOutput outputOf(const ReconstructOptions& options, const engine::BatchItem& item,
                              const std::optional<engine::Rates>& rates = {})
{
    return {.path = item.output,
            .name = engine::resultName(item.scan),
            .overwrite = options.overwrite,
            .stored = outputChoice(options.format),
            .overlap = !options.oneByOne,
            .resumes = options.resumes,
            .ranks = options.grid.empty() ? engine::RankGrid() : engine::rankGridFromText(options.grid),
            .rates = rates,
            .loading = engine::loadingFromText(options.loading),
            .alsoRead = alsoRead(options)};
}

// Records where the axis comes from; in the request it looks as if the user had given it.
void sayAxisOfRows(const engine::AxisTilt& axis, engine::Reconstruction& made)
{
    const auto agreeing = std::ranges::count_if(axis.rows, &engine::AxisOfRow::agrees);
    made.axisSource = "automatic";
    made.axisHow = "found in " + std::to_string(axis.rows.size()) + " rows, of which " + std::to_string(agreeing) +
                   (agreeing == 1 ? " agrees" : " agree");
    made.axisConfidence = axis.confidence;
    made.axisDoubt = axis.doubt;
}

engine::WrittenVolume write(const ReconstructOptions& options, const Work& work, const engine::BatchItem& item,
                            const std::string& before, engine::Ensemble& ensemble,
                            const std::optional<engine::Rates>& rates = {})
{
    const auto warn = [&](const std::string& about, const engine::Text& text) {
        std::cerr << "warning: " << words(about + ": " + text) << '\n';
    };
    const bool isAlone = ensemble.size() == 1;
    auto bar = std::make_optional<ProgressBar>(!isAlone);
    engine::WrittenVolume written = engine::writeVolume(
        work.request, work.opened, outputOf(options, item, rates),
        [&](const engine::Text& text) { warn(item.output, text); },
        [&](double fraction, const engine::RowRange& group, engine::Stage stage) {
            bar->show(fraction, before + (isAlone ? "slice " + std::to_string(group.first) + ": " + toText(stage)
                                                  : std::to_string(ensemble.size()) + " ranks"));
        },
        ensemble);
    bar.reset(); // wipes the bar, so that messages stand on a line of their own
    const engine::Scan& scan = *work.request.scan;
    if (work.axisOfRows)
        sayAxisOfRows(*work.axisOfRows, written.made); // its warning has been printed already
    else if (!written.made.axisDoubt.empty())
        warn(scan.name, written.made.axisDoubt);
    for (const engine::Text& text : engine::warningsOf(written.made))
        warn(scan.name, text);
    for (const engine::DeviceShare& share : written.made.shares)
        if (!share.failure.empty())
            warn(scan.name, share.failure);
    return written;
}

void saveRecipe(const ReconstructOptions& options, const Work& work, const std::optional<engine::Recipe>& recipe)
{
    if (options.saveRecipe.empty())
        return;
    ReportFile file(options.saveRecipe, options.overwrite, "--save-recipe", "{");
    file.refuse(work.inputs);
    std::vector<std::string> leftOut;
    file.write(engine::recipeJson(recipeOf(options, recipe, work.request, leftOut)));
    if (options.json != "-" && options.saveRecipe != "-")
        std::cout << "recipe   " << plain(options.saveRecipe) << '\n';
    if (const engine::Text left = engine::leftOutText(leftOut); !left.empty())
        std::cerr << "note: " << words(left) << '\n';
}

// Returns the JSON report of a written volume.
std::string reportOf(const engine::WrittenVolume& written, const Work& work)
{
    const std::string report = engine::configurationJson(written.made, work.opened);
    return written.ranks.empty() ? report : engine::withRanks(report, written.ranks, written.grid, written.loading);
}

// Prints the reasons for status 3 that aren't warnings of the scan, which have been printed already.
void printReasons(const engine::Reconstruction& made, const std::vector<engine::Text>& doubts)
{
    std::set<std::string> known;
    for (const engine::Text& warning : engine::warningsOf(made))
        known.insert(words(warning));
    for (const engine::Text& doubt : doubts)
        if (known.insert(words(doubt)).second)
            std::cerr << "warning: doubtful: " << words(doubt) << '\n';
}

int reconstructOne(const ReconstructOptions& options, const engine::BatchItem& item,
                   const std::optional<engine::Recipe>& recipe, engine::Ensemble& ensemble)
{
    requireDistinct({{"SCAN", item.scan},
                     {"--output", item.output},
                     {"--json", options.json},
                     {"--settings", options.settings},
                     {"--recipe", options.recipe},
                     {"--rates", options.rates},
                     {"--save-recipe", options.saveRecipe}});
    ReportFile report(ensemble.isFirst() ? options.json : std::string(), options.overwrite);
    const auto rates = options.rates.empty() ? std::nullopt : std::optional(engine::readRates(options.rates));
    const Work work = workOf(options, item.scan, recipe, ensemble);
    report.refuse(work.inputs);
    if (ensemble.isFirst())
        saveRecipe(options, work, recipe);
    if (item.output.empty())
        return 0;
    if (options.plan) {
        const engine::VolumeNeeds needs =
            printPlan(work.request, work.opened, outputOf(options, item, rates), true, ensemble).needs;
        const int status = needs.impossible.empty() ? 0 : engine::exitStatus(needs.failure);
        return std::stoi(engine::toldByFirst(ensemble, std::to_string(status)));
    }
    const engine::WrittenVolume written = write(options, work, item, {}, ensemble, rates);
    std::vector<engine::Text> doubts = engine::doubtsAbout(written.made);
    const int status = options.strict && !doubts.empty() ? engine::doubtedStatus : 0;
    if (options.strict && ensemble.isFirst())
        printReasons(written.made, doubts);
    if (written.wasThere) {
        report.write(engine::batchJson(
            {{.item = item, .wasThere = true, .wasNamed = written.wasNamed, .doubts = std::move(doubts)}}));
        if (report.textWanted())
            std::cout << item.output
                      << (written.wasNamed ? " was already computed; its files are now renamed\n"
                                           : " already exists, from the same request: nothing was left to do\n");
        return status;
    }
    report.write(reportOf(written, work));
    if (report.textWanted() && ensemble.isFirst())
        printWritten(item.output, written, ensemble.token());
    if (rates && report.textWanted() && ensemble.isFirst())
        std::cout << '\n' << comparisonText(engine::comparedToModel(written, *rates));
    return status;
}

// Reconstructs one of several scans. An error is returned in the result, so that the other scans go on.
engine::BatchResult reconstructNext(const ReconstructOptions& options, const engine::BatchItem& item,
                                    const std::optional<engine::Recipe>& recipe, ReportFile& report,
                                    const std::string& place, engine::Ensemble& ensemble)
{
    engine::BatchResult result{.item = item};
    const engine::Stopwatch watch;
    try {
        engine::together(ensemble, [&] {
            const Work work = workOf(options, item.scan, recipe, ensemble);
            report.refuse(work.inputs);
            const engine::WrittenVolume written = write(options, work, item, place + item.scan + ", ", ensemble);
            result.wasThere = written.wasThere;
            result.wasNamed = written.wasNamed;
            result.axisBins = written.made.axisBins;
            result.doubts = engine::doubtsAbout(written.made);
            if (!written.wasThere)
                result.report = reportOf(written, work);
        });
    } catch (const Error& error) {
        result.failure = error.kind();
        result.error = error.text();
    } catch (const std::bad_alloc&) {
        result.failure = ErrorKind::noMemory;
        result.error = "There is not enough memory.";
    }
    result.seconds = watch.seconds();
    return result;
}

// Returns the cells of the result's table row. failure: text for the last cell if the scan failed.
std::vector<std::string> cellsOf(const engine::BatchResult& result, const std::string& failure)
{
    const bool done = !result.failure;
    const bool isNew = done && !result.wasThere;
    const std::string what = isNew             ? "done"
                             : result.wasNamed ? "was already computed; files are now renamed"
                             : done            ? "existed already"
                                               : failure;
    return {result.item.scan, done ? result.item.output : "-", isNew ? number(result.axisBins, 7) : "-",
            seconds(result.seconds), result.doubts.empty() ? what : what + ", doubtful"};
}

// Returns "failed, see 2", with the number of the failure's line below the table.
std::string failureText(const engine::BatchResult& result, const std::vector<engine::BatchFailure>& failures)
{
    for (std::size_t k = 0; k < failures.size(); ++k)
        if (std::ranges::count(failures[k].scans, result.item.scan) > 0)
            return "failed, see " + std::to_string(k + 1);
    return "failed";
}

// Prints the table and the reasons of failures; a reason that several scans share is printed once.
void printAll(const std::vector<engine::BatchResult>& results, std::size_t count)
{
    const std::vector<engine::BatchFailure> failures = engine::failuresOf(results);
    std::vector<std::vector<std::string>> rows{{"scan", "output", "axis, bins", "time", "result"}};
    for (const engine::BatchResult& result : results)
        rows.push_back(cellsOf(result, failureText(result, failures)));
    std::cout << '\n' << table(rows);
    for (std::size_t k = 0; k < failures.size(); ++k) {
        std::cout << k + 1 << ": " << words(joined(failures[k].scans, ", ") + ": " + failures[k].error) << '\n';
    }
    if (results.size() < count)
        std::cout << count - results.size() << " of " << count << " scans were not started\n";
}

// Returns the reason of the last failure: in full for the first scan that fails with it, else a reference to that
// scan.
std::string newsOf(const std::vector<engine::BatchResult>& results)
{
    for (const engine::BatchFailure& failure : engine::failuresOf(results))
        if (failure.scans.size() > 1 && failure.scans.back() == results.back().item.scan)
            return "failed as " + failure.scans.front() + " did";
    return words(engine::besideItsName(results.back().error, results.back().item));
}

// Returns the exit status that the actual run would have.
int planMany(const ReconstructOptions& options, const std::vector<engine::BatchItem>& items,
             const std::optional<engine::Recipe>& recipe, engine::Ensemble& ensemble)
{
    std::vector<Planned> plans;
    std::vector<engine::BatchResult> results;
    for (const engine::BatchItem& item : items) {
        engine::BatchResult& result = results.emplace_back(engine::BatchResult{.item = item});
        std::cout << results.size() << " of " << items.size() << ": " << plain(item.scan) << '\n';
        try {
            engine::together(ensemble, [&] {
                const Work work = workOf(options, item.scan, recipe, ensemble);
                plans.push_back(printPlan(work.request, work.opened, outputOf(options, item), false, ensemble));
                if (const engine::VolumeNeeds& needs = plans.back().needs; !needs.impossible.empty())
                    result.failure = needs.failure;
            });
        } catch (const Error& error) {
            if (error.kind() == ErrorKind::cancelled)
                throw;
            result.failure = error.kind();
            std::cout << "not possible: " << words(error.text()) << '\n';
        }
        std::cout << std::endl;
    }
    const bool isPossible = printSum(plans, items.size());
    const int status = engine::exitStatus(results);
    // Even if each volume is possible, all of them together may not be.
    return status != 0 || isPossible ? status : engine::exitStatus(ErrorKind::output);
}

int reconstructMany(const ReconstructOptions& options, const std::vector<engine::BatchItem>& items,
                    const std::optional<engine::Recipe>& recipe, engine::Ensemble& ensemble)
{
    if (!options.saveRecipe.empty())
        throw Error(ErrorKind::badRequest, "--save-recipe is for one scan; then use its recipe for the others");
    if (!options.rates.empty())
        throw Error(ErrorKind::badRequest, "--rates is for one scan; run the others without it");
    for (const engine::BatchItem& item : items)
        requireDistinct({{"SCAN", item.scan},
                         {"--output", item.output},
                         {"--json", options.json},
                         {"--settings", options.settings},
                         {"--recipe", options.recipe}});
    if (options.plan)
        return planMany(options, items, recipe, ensemble);
    ReportFile report(ensemble.isFirst() ? options.json : std::string(), options.overwrite);
    std::vector<engine::BatchResult> results;
    bool isStopped = false;
    for (const engine::BatchItem& item : items) {
        const std::string place = std::to_string(results.size() + 1) + " of " + std::to_string(items.size()) + ": ";
        results.push_back(reconstructNext(options, item, recipe, report, place, ensemble));
        if (report.textWanted())
            std::cout << place << plain(joined(cellsOf(results.back(), newsOf(results)), "  ")) << std::endl;
        // A stop request to one of several ranks reaches the others through its failure.
        isStopped = results.back().failure == ErrorKind::cancelled ||
                    (ensemble.size() == 1 && ensemble.token().stop_requested());
        if (isStopped)
            break;
    }
    if (report.textWanted())
        printAll(results, items.size());
    report.write(engine::batchJson(results));
    if (isStopped)
        throw Error(ErrorKind::cancelled, options.resumes ? cancelledWhereItResumes : "cancelled");
    return engine::exitStatus(results, options.strict);
}

// Names the output after the scan, in the current folder, if no name is given.
void nameOutput(ReconstructOptions& options, const engine::Ensemble& ensemble)
{
    if (!options.output.empty() || !options.saveRecipe.empty())
        return;
    const bool isOne = !options.slice.empty() || !options.texts.at("plane").empty();
    options.output = (options.scans.size() == 1 ? engine::resultName(options.scans.front()) : std::string("{scan}")) +
                     "_rec" + (isOne ? ".tif" : ".h5");
    if (ensemble.isFirst())
        std::cerr << "note: without --output the name is " << plain(options.output) << '\n';
}

int reconstructScans(ReconstructOptions options, engine::Ensemble& ensemble)
{
    if (options.resumes)
        app::cancelledWords = cancelledWhereItResumes;
    nameOutput(options, ensemble);
    const std::optional<engine::Recipe> recipe =
        options.recipe.empty() ? std::nullopt : std::optional(engine::readRecipe(options.recipe));
    if (recipe && usesPlane(options, *recipe) && !options.output.empty() && ensemble.isFirst())
        std::cerr << "note: the recipe's plane " << plain(engine::shortPlane(*recipe))
                  << " is reconstructed; --slices 0: reconstructs all slices instead\n";
    const std::vector<engine::BatchItem> items = engine::batchOf(options.scans, options.output);
    if (options.plan && !options.json.empty())
        throw Error(ErrorKind::badRequest, "--plan is printed, and has no report: leave out --json");
    return items.size() == 1 ? reconstructOne(options, items.front(), recipe, ensemble)
                             : reconstructMany(options, items, recipe, ensemble);
}

} // namespace

Command reconstructCommand(CLI::App& program, engine::Ensemble* ensemble)
{
    CLI::App* command = program.add_subcommand("reconstruct", "Reconstruct slices of one scan or of several");
    command->footer(
        "Examples:\n"
        "  sinoscope-cli reconstruct tooth.h5 --output tooth.tif\n"
        "  sinoscope-cli reconstruct tooth.h5 --output slices/ --slices 100:200 --filter hann --axis 295.75\n"
        "  sinoscope-cli reconstruct scan.nxs --output volume.h5 --precision half --slices-per-pass 4\n"
        "  sinoscope-cli reconstruct scan.nxs --output crack.tif --plane \"centre=64,60,15;u=1,0.4,0;v=0,0,1\"\n"
        "  sinoscope-cli reconstruct tiffs/ --darks dark.tif --flats flat.tif --angles angles.txt -o out/\n"
        "  sinoscope-cli reconstruct sinogram.tif --sinogram --angles 0:360 -o slice.tif --json -\n"
        "  sinoscope-cli reconstruct scan.raw --raw 180x176x176 --type float32 --values line-integrals \\\n"
        "      --geometry cone --source-axis 1000 --source-detector 1500 --pixel 2.3 --angles 0:358 -o volume.h5\n"
        "  sinoscope-cli reconstruct tiffs/ --geometry geometry.xml --pixel 0.4 --voxel 0.25 -o volume.h5\n"
        "  sinoscope-cli reconstruct tooth.h5 --rings all --filter hann --save-recipe rings.json -o tooth.tif\n"
        "  sinoscope-cli reconstruct a.h5 b.h5 c.h5 --recipe rings.json -o '{scan}_rings.h5'");
    command->alias("rec");
    const auto options = std::make_shared<ReconstructOptions>();
    addReconstructOptions(*command, *options);
    if (ensemble) {
        command
            ->add_option("--grid", options->grid,
                         "For cone beams: grid of ranks whose rows split the slices and whose columns split the "
                         "projections; default: the fastest one by --rates, else the one that moves the fewest bytes")
            ->type_name("ROWSxCOLUMNS");
        addLoading(*command, options->loading);
        command
            ->add_option("--rates", options->rates,
                         "Rates measured by `benchmark`: the seconds of the model are printed beside those of the run")
            ->type_name("FILE");
    }
    return {command, [options, ensemble](std::stop_token stop) {
                engine::Alone alone(std::move(stop));
                engine::Ensemble& ranks = ensemble ? *ensemble : alone;
                int status = 0;
                engine::together(ranks, [&] { status = reconstructScans(*options, ranks); });
                return status;
            }};
}

} // namespace cli
