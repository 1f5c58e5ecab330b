// The rotation axis of a scan, found in all ways, and what other programs call it.
#include "app/cli/commands.h"
#include "app/cli/options.h"
#include "app/cli/report_file.h"
#include "app/cli/scan_options.h"
#include "app/cli/text.h"
#include "engine/axis/candidates.h"
#include "engine/report.h"
#include "engine/scan/axis_programs.h"

#include <CLI/CLI.hpp>

#include <cmath>
#include <iostream>
#include <map>
#include <memory>
#include <optional>

namespace cli
{

namespace
{

struct AxisOptions {
    ScanOptions scan;
    std::map<std::string, std::string> preparation; // of the engine's table of options, by id
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
    std::vector<std::vector<std::string>> ways = {{"way", "axis", "score", "agrees", "time", ""}};
    for (const engine::AxisCandidate& each : all.candidates) {
        if (each.unsuited.empty())
            ways.push_back({each.method->id, number(each.guess.bins, 7), number(each.guess.score, 2),
                            each.agrees ? "yes" : "no", seconds(each.seconds), ""});
        else
            ways.push_back({each.method->id, "–", "–", "–", "–", each.unsuited});
    }
    std::vector<std::vector<std::string>> programs = {{"program", "axis there"}};
    for (const engine::AxisProgram& program : engine::axisPrograms())
        programs.push_back({program.label, engine::axisTextOf(program, all.found.bins, bins)});
    std::cout << table(ways) << '\n'
              << listing({{"axis", number(all.found.bins, 7) + " bins from the centre of bin 0"},
                          {"confidence", percent(all.found.confidence) + ": " + all.found.how},
                          {"agreeing",
                           "within " + number(all.toleranceBins, 3) + (all.toleranceBins == 1 ? " bin" : " bins")},
                          {"doubt", all.found.doubt},
                          {"when opened", number(all.atOpening.bins, 7) + " bins, confidence " +
                                              percent(all.atOpening.confidence) + ": " + all.atOpening.how}})
              << '\n'
              << table(programs);
}

int findAxis(const AxisOptions& options, const std::stop_token& stop)
{
    requireDistinct({{"SCAN", options.scan.path}, {"--json", options.json}});
    ReportFile report(options.json, options.overwrite);
    engine::Request request;
    request.scan = engine::openScan(options.scan.path, options.scan.open, stop);
    report.refuse(engine::Inputs(*request.scan));
    for (const engine::Option& row : engine::options())
        if (const auto given = options.preparation.find(row.id);
            given != options.preparation.end() && !given->second.empty())
            engine::setOption(row, request, given->second);
    request.resources.threads = options.threads;
    const engine::AxisCandidates all = engine::findAxisCandidates(request, stop);
    report.write(engine::axisCandidatesJson(all, request.scan->bins()));
    if (report.textWanted())
        print(all, request.scan->bins());
    return 0;
}

} // namespace

Command axisCommand(CLI::App& program)
{
    CLI::App* command =
        program.add_subcommand("axis", "Find the rotation axis in all ways, and say how far they agree");
    command->footer("Examples:\n"
                    "  sinoscope-cli axis tooth.h5\n"
                    "  sinoscope-cli axis scan.nxs --rings sorting --json - | jq '.axis, .confidence'");
    const auto options = std::make_shared<AxisOptions>();
    addScanOptions(*command, options->scan);
    const engine::Request standard;
    for (const engine::Option& row : engine::options())
        if (row.ofSetting && row.stage == engine::Stage::prepare) {
            std::string& text = options->preparation[row.id];
            text = row.get(standard);
            addOption(*command, row, text);
            text.clear(); // the help shows it; what isn't given stays empty
        }
    addThreads(*command, options->threads);
    addJson(*command, options->json, options->overwrite);
    return {command, [options](const std::stop_token& stop) { return findAxis(*options, stop); }};
}

} // namespace cli
