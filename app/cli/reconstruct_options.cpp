// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/reconstruct_options.h"

#include "app/cli/options.h"
#include "engine/axis/tilt.h"
#include "engine/base/error.h"
#include "engine/base/number_text.h"
#include "engine/documents/report.h"
#include "engine/io/files/input_file.h"
#include "engine/io/open/open_fields.h"
#include "engine/io/slices/slice_writer.h"
#include "engine/io/tiff/tiff_file.h"
#include "engine/volume/volume_plan.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iostream>
#include <limits>
#include <utility>

namespace cli
{

namespace fs = std::filesystem;
using engine::Error;
using engine::ErrorKind;

namespace
{

constexpr const char* slicesPerPass = "slices-per-pass"; // by default the fastest number

int rowFromText(const std::string& text)
{
    const long long row = integerFromText(text, "slice");
    if (row < 0 || row > std::numeric_limits<int>::max())
        throw Error(ErrorKind::badRequest, "slice " + text + " is out of range; slices count from 0");
    return static_cast<int>(row);
}

bool hasSlices(const ReconstructOptions& options)
{
    return !(options.slice.empty() && options.slices.empty());
}

// Returns whether a region, a slab or a plane is given. It replaces that of a recipe or report.
bool hasPart(const ReconstructOptions& options)
{
    return std::ranges::any_of(std::array{"region", "slab", "plane"},
                               [&](const char* id) { return !options.texts.at(id).empty(); });
}

// Returns whether options that are given replace the plane of a recipe or report.
bool replacesPlane(const ReconstructOptions& options)
{
    return hasSlices(options) || hasPart(options);
}

bool isOneImage(const fs::path& output)
{
    return engine::hasTiffSuffix(output);
}

engine::RowRange slicesOf(const ReconstructOptions& options, const engine::Scan& scan)
{
    engine::RowRange slices{0, scan.slices()};
    if (!options.slice.empty())
        slices = {rowFromText(options.slice), 1};
    else if (!options.slices.empty())
        slices = slicesFromText(options.slices, scan.slices());
    else if (isOneImage(options.output))
        slices = {scan.slices() / 2, 1};
    if (isOneImage(options.output) && slices.count > 1)
        throw Error(ErrorKind::badRequest, "--output: '" + options.output + "' holds one slice, but " +
                                               std::to_string(slices.count) +
                                               " are requested; name a folder or a .h5 file");
    return slices;
}

// Reads a request from a report. How the report's scan was opened is not applied, since the present scan may be
// another one; a warning lists what was left out.
engine::Request requestFromFile(const std::string& path, const engine::OpenOptions& open)
{
    const std::string who = "--settings: '" + path + "'", text = engine::textOf(path, who, engine::mostJson);
    std::string missing;
    for (const std::string& id : engine::openedOtherwise(text, open))
        missing += (missing.empty() ? "--" : ", --") + id;
    if (!missing.empty())
        std::cerr << "warning: --settings: the report's scan was opened with " << missing
                  << "; this is not applied here, give it again if this scan needs it too\n";
    try {
        return engine::requestFromJson(text);
    } catch (const Error& error) {
        throw Error(error.kind(), who + ": " + error.text());
    }
}

// Throws if an option has no effect. file: the request of the recipe or report. An option of the file that loses its
// effect through options given on the command line is no error.
void requireMeaning(const ReconstructOptions& options, const engine::Request& file, const engine::Request& request)
{
    requireStepsInOrder(request, options.texts.at("step-order"));
    const engine::Request standard;
    for (const engine::Option& row : engine::options()) {
        const auto reason = row.idle ? row.idle(request) : std::nullopt;
        const bool isGiven = !options.texts.at(row.id).empty();
        if (reason && row.get(request) != row.get(standard) && (isGiven || row.idle(file)))
            throw Error(ErrorKind::badRequest, std::string("--") + row.id + ": " + *reason);
    }
}

// Adds the engine's options and those that stand for several of them.
void addSettings(CLI::App& command, ReconstructOptions& options)
{
    addSettingRows(command, options.texts);
    CLI::Option* settings = command
                                .add_option("--settings", options.settings,
                                            "Options from a report (--json F.json), unless given here; without its "
                                            "slices, output and options for opening the scan")
                                ->type_name("FILE")
                                ->check(CLI::Validator(CLI::ExistingFile).description({}))
                                ->group("Method");
    command
        .add_option("--axis-rows", options.axisRows,
                    "Find position and tilt of the axis from this many rows over the detector (axis --rows), and use "
                    "both; for parallel beams, in place of --axis and --axis-tilt")
        ->type_name("N (" + std::to_string(engine::fewestTiltRows) + "…1000)")
        ->check(wholeNumber(engine::fewestTiltRows, 1000))
        ->group("Filter and axis");
    command
        .add_option("--recipe", options.recipe,
                    "Settings, options for opening and the plane, if there is one, from a recipe that --save-recipe or "
                    "the window wrote, unless given here")
        ->type_name("FILE.json")
        ->check(notEmpty())
        ->excludes(settings)
        ->group("Method");
    command
        .add_option("--save-recipe", options.saveRecipe,
                    "Save the settings, the options for opening and --plane as a recipe; without --output nothing else "
                    "is done")
        ->type_name("FILE.json")
        ->check(notEmpty())
        ->group("Method");
    command
        .add_flag(
            "--resume", options.resumes,
            "Keep complete slices if interrupted, and continue from the slices that an earlier, interrupted run with "
            "--resume kept")
        ->group("Method");
    command
        .add_flag("--plan", options.plan,
                  "Show the disk space, memory and time needed, and whether it is possible; nothing is written")
        ->group("Method");
    command
        .add_flag("--strict", options.strict,
                  "Exit with status 3 if a result is doubtful, as warnings tell; it is written all the same")
        ->group("Method");
    command.add_flag("--no-overlap", options.oneByOne, "Read, compute and write one after the other: uses less memory")
        ->group("Method");
}

void addSliceOptions(CLI::App& command, ReconstructOptions& options)
{
    command
        .add_option(
            "-o,--output", options.output,
            "F.tif for one slice, F.h5 for all in one file, else a folder with one TIFF per slice; {scan} "
            "stands for the scan's name; for several scans, a folder gets a subfolder per scan; default: SCAN_rec.h5, "
            "or SCAN_rec.tif for --slice and --plane")
        ->type_name("F.tif|F.h5|DIR")
        ->check(takenBy(engine::requireOutputName));
    CLI::Option* slice = command.add_option("-s,--slice", options.slice, "One slice, from 0; the middle one for F.tif")
                             ->type_name("K")
                             ->check(takenBy(rowFromText));
    command
        .add_option("--slices", options.slices,
                    "Slices A to B, B excluded; :B from the first, A: to the last; default: all")
        ->type_name("A:B")
        ->check(takenBy([](const std::string& text) { slicesFromText(text); }))
        ->excludes(slice);
    addOutputOptions(command, options.format);
    addJson(command, options.json, options.overwrite);
}

} // namespace

void addSettingRows(CLI::App& command, std::map<std::string, std::string>& texts)
{
    const engine::Request standard;
    for (const engine::Option& row : engine::options()) {
        std::string& text = texts[row.id];
        if (row.id != std::string(slicesPerPass))
            text = row.get(standard);
        addOption(command, row, text);
        text.clear(); // the help shows the default; the text stays empty unless the option is given
    }
}

engine::RowRange slicesFromText(const std::string& text, int slices)
{
    const std::size_t colon = text.find(':');
    if (colon == std::string::npos || text == ":")
        throw Error(ErrorKind::badRequest, "bad slices '" + text + "'; give A:B, from A up to but excluding B");
    const int first = colon == 0 ? 0 : rowFromText(text.substr(0, colon));
    const int end = colon + 1 == text.size() ? slices : rowFromText(text.substr(colon + 1));
    if (end <= first)
        throw Error(ErrorKind::badRequest,
                    "slices " + text + " are empty; give A:B with B greater than A (B is excluded)");
    return {first, end - first};
}

engine::OpenOptions openedWith(const ReconstructOptions& options, const std::optional<engine::Recipe>& recipe)
{
    return recipe ? engine::openedOver(recipe->opened, options.scan.open) : options.scan.open;
}

engine::Request requestOf(const ReconstructOptions& options, const std::optional<engine::Recipe>& recipe,
                          std::shared_ptr<const engine::Scan> scan)
{
    engine::Request request;
    if (!options.settings.empty())
        request = requestFromFile(options.settings, options.scan.open);
    if (recipe)
        request.setting = recipe->setting;
    const bool hasPlane = !options.texts.at("plane").empty();
    if (hasPlane && hasSlices(options))
        throw Error(ErrorKind::badRequest, "--plane takes the place of slices: leave out --slice and --slices");
    if (hasPart(options) || (hasSlices(options) && request.place.plane()))
        request.place.part = {}; // of the report
    request.scan = std::move(scan);
    if (recipe && usesPlane(options, *recipe))
        engine::usePlane(*recipe, request);
    if (!hasPlane && !request.place.plane())
        request.place.setSlices(slicesOf(options, *request.scan));
    const engine::Request file = request;
    for (const engine::Option& row : engine::options()) {
        const std::string& text = options.texts.at(row.id);
        if (!text.empty())
            engine::setField(row, request, text);
    }
    if (const engine::Geometry& geometry = request.scan->geometry;
        options.axisRows > 0 && !std::holds_alternative<engine::ParallelBeam>(geometry))
        throw Error(ErrorKind::badRequest, "--axis-rows finds the axis of parallel beams, and " + request.scan->name +
                                               " is of a " + labelOf(geometry) + "; leave it out");
    requireMeaning(options, file, options.axisRows > 0 ? withSomeTilt(request) : request);
    if (choosesPasses(options, recipe))
        engine::chooseSlicesPerPass(request);
    return request;
}

bool usesPlane(const ReconstructOptions& options, const engine::Recipe& recipe)
{
    return !recipe.plane.empty() && !replacesPlane(options);
}

bool choosesPasses(const ReconstructOptions& options, const std::optional<engine::Recipe>& recipe)
{
    return options.texts.at(slicesPerPass).empty() && (recipe ? recipe->choosesPasses : options.settings.empty());
}

engine::Recipe recipeOf(const ReconstructOptions& options, const std::optional<engine::Recipe>& recipe,
                        const engine::Request& request, std::vector<std::string>& leftOut)
{
    const std::optional<engine::Plane> plane = request.place.plane();
    return {.setting = request.setting,
            .choosesPasses = choosesPasses(options, recipe),
            .opened = engine::withoutFiles(openedWith(options, recipe), leftOut),
            .plane = plane ? engine::textForVolumes(*plane, engine::volumeOf(*request.scan)) : std::string()};
}

void addReconstructOptions(CLI::App& command, ReconstructOptions& options)
{
    addScanOptions(command, options.scan, &options.scans);
    addSliceOptions(command, options);
    addSettings(command, options);
}

} // namespace cli
