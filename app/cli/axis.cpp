// SPDX-License-Identifier: GPL-3.0-or-later
// The rotation axis of a scan by every method, and its value in the conventions of other programs.
#include "app/cli/commands.h"
#include "app/cli/options.h"
#include "app/cli/report_file.h"
#include "app/cli/scan_options.h"
#include "app/cli/text.h"
#include "engine/axis/find_axis.h"
#include "engine/axis/tilt.h"
#include "engine/documents/report.h"
#include "engine/scan/axis_programs.h"
#include "engine/scan/empty_projections.h"

#include <CLI/CLI.hpp>

#include <cmath>
#include <iostream>
#include <memory>
#include <numbers>
#include <optional>

namespace cli
{

namespace
{

struct AxisOptions {
    ScanOptions scan;
    PreparationTexts preparation;
    int rows = 0; // 0: only the middle row
    int threads = 0;
    std::string json;
    bool overwrite = false;
};

std::string percent(const std::optional<double>& share)
{
    return share ? number(std::round(100 * *share)) + " %" : "not known";
}

void print(const engine::AxisCandidates& all, int bins)
{
    std::vector<std::vector<std::string>> ways = {{"method", "axis", "score", "agrees", "time", ""}};
    for (const engine::AxisCandidate& each : all.candidates) {
        if (each.unsuited.empty())
            ways.push_back({each.method->id, number(each.guess.bins, 7), number(each.guess.score, 2),
                            each.agrees ? "yes" : "no", seconds(each.seconds), ""});
        else
            ways.push_back({each.method->id, "–", "–", "–", "–", each.unsuited});
    }
    std::vector<std::vector<std::string>> programs = {{"program", "its axis value"}};
    for (const engine::AxisProgram& program : engine::axisPrograms())
        programs.push_back({program.label, engine::axisTextOf(program, all.found.bins, bins)});
    std::cout << table(ways) << '\n'
              << listing({{"axis", number(all.found.bins, 7) + " bins from the centre of bin 0"},
                          {"confidence", percent(all.found.confidence) + ": " + all.found.how},
                          {"agreeing",
                           "within " + number(all.toleranceBins, 3) + (all.toleranceBins == 1 ? " bin" : " bins")},
                          {"doubt", words(all.found.doubt)}})
              << '\n'
              << table(programs);
}

void print(const engine::AxisTilt& all)
{
    constexpr double degrees = 180 / std::numbers::pi;
    const auto turned = [&](double rad) { return number(std::round(rad * degrees * 1000) / 1000) + "°"; };
    std::vector<std::vector<std::string>> rows = {{"row", "axis", "confidence", "off the line", "agrees"}};
    for (const engine::AxisOfRow& each : all.rows)
        rows.push_back({std::to_string(each.row), number(each.found.bins, 7),
                        number(std::round(100 * each.found.confidence.value_or(0))) + " %", number(each.offBins, 3),
                        each.agrees ? "yes" : "no"});
    std::cout << table(rows) << '\n'
              << listing({{"axis", number(all.bins, 7) + " bins from the centre of bin 0, in the middle row"},
                          {"tilt", turned(all.tiltRad) + " ± " + turned(all.uncertaintyRad) +
                                       ", its top towards higher bins; the rows above are corrected for it"},
                          {"confidence", number(std::round(100 * all.confidence)) + " %, for axis and tilt together"},
                          {"doubt", words(all.doubt)},
                          {"reconstruct with", "--axis " + number(all.bins, 7) + " --axis-tilt " +
                                                   number(std::round(all.tiltRad * degrees * 1000) / 1000)}});
}

void warnOfEmpty(const engine::Scan& scan, const std::vector<int>& emptyProjections)
{
    if (const engine::Text text = engine::emptyText(scan, emptyProjections); !text.empty())
        std::cerr << "warning: " << words(scan.name + ": " + text) << '\n';
}

int findAxis(const AxisOptions& options, const std::stop_token& stop)
{
    requireDistinct({{"SCAN", options.scan.path}, {"--json", options.json}});
    ReportFile report(options.json, options.overwrite);
    engine::Request request;
    request.scan = engine::openScan(options.scan.path, options.scan.open, stop);
    report.refuse(engine::ProtectedInputs(*request.scan));
    setPreparation(request, options.preparation);
    requireStepsInOrder(options.rows > 0 ? withSomeTilt(request) : request, options.preparation.at("step-order"));
    request.resources.threads = options.threads;
    if (options.rows > 0) {
        const engine::AxisTilt all = engine::findAxisTilt(request, options.rows, {}, stop);
        warnOfEmpty(*request.scan, all.emptyProjections);
        report.write(engine::axisTiltJson(all, *request.scan));
        if (report.textWanted())
            print(all);
        return 0;
    }
    const engine::AxisCandidates all = engine::findAxisCandidates(request, stop);
    warnOfEmpty(*request.scan, all.emptyProjections);
    report.write(engine::axisCandidatesJson(all, *request.scan));
    if (report.textWanted())
        print(all, request.scan->bins());
    return 0;
}

} // namespace

Command axisCommand(CLI::App& program)
{
    CLI::App* command =
        program.add_subcommand("axis", "Find the rotation axis by all methods, and show how well they agree");
    command->footer("Examples:\n"
                    "  sinoscope-cli axis tooth.h5\n"
                    "  sinoscope-cli axis scan.nxs --rows 9\n"
                    "  sinoscope-cli axis scan.nxs --rings sorting --json - | jq '.axis, .confidence'");
    const auto options = std::make_shared<AxisOptions>();
    addScanOptions(*command, options->scan);
    addPreparation(*command, options->preparation);
    command
        ->add_option("--rows", options->rows,
                     "Find position and tilt of the axis from this many rows, evenly spaced over the detector")
        ->type_name("N")
        ->check(wholeNumber(engine::fewestTiltRows, 1000));
    addThreads(*command, options->threads);
    addJson(*command, options->json, options->overwrite);
    return {command, [options](const std::stop_token& stop) { return findAxis(*options, stop); }};
}

} // namespace cli
