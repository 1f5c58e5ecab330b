// SPDX-License-Identifier: GPL-3.0-or-later
// The sinogram of a row: as recorded, prepared, or before or after a step of preparation.
#include "app/cli/commands.h"
#include "app/cli/options.h"
#include "app/cli/scan_options.h"
#include "app/cli/text.h"
#include "engine/base/error.h"
#include "engine/io/slices/slice_writer.h"
#include "engine/prepare/step_order.h"
#include "engine/resolve/resolve.h"
#include "engine/stages/recorded_images.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>

namespace cli
{

namespace
{

struct SinogramOptions {
    ScanOptions scan;
    PreparationTexts preparation;
    std::optional<int> row;
    bool recorded = false;
    std::string before, after, difference; // ids of steps
    std::string output;
    bool overwrite = false;
    int threads = 0;
};

engine::Look lookOf(const SinogramOptions& options)
{
    using engine::Shown;
    if (!options.before.empty())
        return {Shown::before, options.before};
    if (!options.after.empty())
        return {Shown::after, options.after};
    if (!options.difference.empty())
        return {Shown::difference, options.difference};
    return options.recorded ? Shown::raw : Shown::prepared;
}

std::string inWords(engine::Quantity quantity)
{
    std::string words = engine::toText(quantity);
    std::ranges::replace(words, '-', ' ');
    return words;
}

void printSteps(const engine::Request& request)
{
    std::vector<std::vector<std::string>> rows = {{"step", "takes", "makes", ""}};
    for (const engine::Step* step : engine::stepsToLookAt(request))
        rows.push_back({step->id, inWords(engine::quantityOf(request, {engine::Shown::before, step->id})),
                        inWords(engine::quantityOf(request, {engine::Shown::after, step->id})), step->label});
    std::cout << table(rows);
}

// Returns the range of the finite values, and the number of values that are not finite.
std::string rangeOf(const engine::Volume& image)
{
    double least = INFINITY, most = -INFINITY;
    std::size_t none = 0;
    for (const float value : image.values) {
        none += !std::isfinite(value);
        least = std::isfinite(value) ? std::min<double>(least, value) : least;
        most = std::isfinite(value) ? std::max<double>(most, value) : most;
    }
    return number(least) + " to " + number(most) +
           (none > 0 ? ", " + std::to_string(none) + (none == 1 ? " value is not finite" : " values are not finite")
                     : "");
}

int saveSinogram(const SinogramOptions& options, const std::stop_token& stop)
{
    requireDistinct({{"SCAN", options.scan.path}, {"--output", options.output}});
    engine::Request request;
    request.scan = engine::openScan(options.scan.path, options.scan.open, stop);
    setPreparation(request, options.preparation);
    request.resources.threads = options.threads;
    requireStepsInOrder(request, options.preparation.at("step-order"));
    for (const engine::Refusal& refusal : engine::refusalsOf(request))
        if (refusal.about == engine::Refusal::About::preparation)
            throw engine::Error(refusal.kind, refusal.text);
    const int row = options.row.value_or(request.scan->rows / 2);
    engine::require(row >= 0 && row < request.scan->rows, "row " + std::to_string(row) + " was requested; " +
                                                              request.scan->name + " has rows 0 to " +
                                                              std::to_string(request.scan->rows - 1));
    if (options.output.empty()) {
        printSteps(request);
        return 0;
    }
    const engine::Look look = lookOf(options);
    const std::string values = inWords(engine::quantityOf(request, look));
    const engine::Volume image = engine::sinogramOf(request, look, row, stop);
    engine::writeTiffImage(options.output, image, 0, options.overwrite, engine::ProtectedInputs(*request.scan));
    std::cout << options.output << ": " << image.height << " projections of " << image.width << " bins of row " << row
              << ", " << values << ", " << rangeOf(image) << '\n';
    return 0;
}

} // namespace

Command sinogramCommand(CLI::App& program)
{
    CLI::App* command = program.add_subcommand(
        "sinogram",
        "Save the sinogram of a row as prepared, or before or after a step; without --output list the steps");
    command->footer("Examples:\n"
                    "  sinoscope-cli sinogram scan.nxs --rings all\n"
                    "  sinoscope-cli sinogram scan.nxs --rings all --row 300 --difference rings -o stripes.tif\n"
                    "  sinoscope-cli sinogram scan.nxs --zingers square --step-order zingers,flat-field \\\n"
                    "      --after zingers -o counts.tif");
    const auto options = std::make_shared<SinogramOptions>();
    addScanOptions(*command, options->scan);
    CLI::Option* row =
        command->add_option("--row", options->row, "Row of the detector, from 0; the middle one if not given")
            ->type_name("N")
            ->check(wholeNumber(0, 1'000'000));
    CLI::Option* recorded = command->add_flag("--recorded", options->recorded, "The numbers as stored in the file");
    const auto addStep = [&](const char* name, std::string& step, const char* summary) {
        return command->add_option(name, step, summary)->type_name("STEP")->check(takenBy(engine::stepNamed));
    };
    CLI::Option* before = addStep("--before", options->before, "Input of this step");
    CLI::Option* after = addStep("--after", options->after, "Output of this step");
    CLI::Option* difference = addStep("--difference", options->difference,
                                      "Output of this step minus its input (for logarithm and phase minus −log of the "
                                      "input); not for flat-field, which converts counts to transmission");
    before->excludes(after)->excludes(difference)->excludes(recorded);
    after->excludes(difference)->excludes(recorded);
    difference->excludes(recorded);
    CLI::Option* output = command->add_option("-o,--output", options->output, "32-bit TIFF to write")
                              ->type_name("FILE.tif")
                              ->check(notEmpty());
    for (CLI::Option* ofOutput : {row, recorded, before, after, difference})
        ofOutput->needs(output);
    command->add_flag("--overwrite", options->overwrite, "Replace the file if it exists");
    addPreparation(*command, options->preparation);
    addThreads(*command, options->threads);
    return {command, [options](const std::stop_token& stop) { return saveSinogram(*options, stop); }};
}

} // namespace cli
