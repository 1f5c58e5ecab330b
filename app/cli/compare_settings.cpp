// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/options.h"
#include "app/cli/progress_bar.h"
#include "app/cli/reconstruct_options.h"
#include "app/cli/report_file.h"
#include "app/cli/scan_options.h"
#include "app/cli/sweep.h"
#include "app/cli/text.h"
#include "engine/base/error.h"
#include "engine/compare/mark_figures.h"
#include "engine/compare/sweep.h"
#include "engine/documents/session.h"
#include "engine/io/open/open_fields.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <optional>

namespace cli
{

namespace
{

struct CompareSettingsOptions {
    ScanOptions scan; // or a session; its options for opening override those stored in the session
    std::map<std::string, std::string> texts; // options of the engine's table, by id; empty: not given
    std::optional<int> slice;
    std::string against, json;
    bool overwrite = false;
    SweepOptions sweep;

    bool isSession() const { return sweep.vary.empty() || scan.path.ends_with(".sinoscope"); }
};

// Prints the figures of every area, if there are at least two: the main table shows the first one only.
void printAreas(const engine::Session& session, const std::vector<engine::ComparedSetting>& all)
{
    const std::vector<const engine::Mark*> areas = session.marks.areas();
    if (areas.size() < 2)
        return;
    std::vector<std::vector<std::string>> cells = {
        {"area", "setting", "mean", "deviation", "noise", "contrast to noise"}};
    for (const engine::MetricRow& row : engine::metricRows())
        cells.front().emplace_back(row.label);
    cells.front().emplace_back("pixels");
    std::vector<engine::AreaStatistics> first; // of the first area: the reference of contrasts
    for (const engine::Mark* area : areas)
        for (std::size_t k = 0; k < all.size(); ++k) {
            const engine::AreaFigures figures = engine::figuresOf(*all[k].result, all[k].reference.get(), session.slice,
                                                                  std::get<engine::Area>(area->shape));
            const engine::AreaStatistics& of = figures.statistics;
            if (area == areas.front())
                first.push_back(of);
            cells.push_back({area->name, all[k].setting.name, number(of.mean, 6), number(of.deviation, 6),
                             number(of.noise, 6),
                             area == areas.front() ? "–" : number(engine::contrastToNoise(of, first[k]), 4)});
            for (const engine::MetricRow& row : engine::metricRows())
                cells.back().push_back(figures.metrics ? number((*figures.metrics).*row.value, 6) : "–");
            cells.back().push_back(std::to_string(of.pixels));
        }
    std::cout << "\nareas, with contrasts to " << areas.front()->name << '\n' << table(cells);
}

// Prints figures that need no reference. They judge the whole setting; the figures of the main table judge the kernel
// only.
void printConsistency(const std::vector<engine::ComparedSetting>& all)
{
    std::vector<std::vector<std::string>> cells = {{"setting", "resolution (pixels)", "residual (%)"}};
    std::vector<std::string> reasons;
    const auto reasonFor = [&](const engine::ComparedSetting& one, const std::string& why) {
        if (!why.empty())
            reasons.push_back(one.setting.name + ": " + why);
    };
    for (const engine::ComparedSetting& one : all)
        if (one.consistency) {
            const engine::Consistency& of = *one.consistency;
            cells.push_back({one.setting.name,
                             of.halves && std::isfinite(of.resolutionPixels) ? number(of.resolutionPixels, 4) : "–",
                             of.residual ? number(100 * *of.residual, 4) : "–"});
            reasonFor(one, of.whyNoResolution);
            reasonFor(one, of.whyNoResidual);
        }
    if (cells.size() == 1)
        return;
    std::cout
        << "\n"
           "without a reference, for the whole slice: resolution up to which the images of the even and of the odd "
           "projections agree (half-bit criterion), and difference of the reprojected slice (the disc that all "
           "projections see) from the projections\n"
        << table(cells);
    for (const std::string& reason : reasons)
        std::cout << "note: " << plain(reason) << '\n';
}

void printEdges(const engine::Session& session, const std::vector<engine::ComparedSetting>& all)
{
    std::vector<std::vector<std::string>> cells = {{"line", "setting", "edge width"}};
    for (const engine::Mark* line : session.marks.lines())
        for (const engine::ComparedSetting& one : all) {
            const std::optional<double> width = engine::edgeWidthOf(*one.result, session.slice, *line);
            cells.push_back({line->name, one.setting.name, width ? number(*width, 4) : "–"});
        }
    if (cells.size() > 1)
        std::cout << "\nedge widths, 10–90 %, pixels; – where a line crosses no clear edge\n" << table(cells);
}

void print(const engine::Session& session, const engine::Scan& scan, const std::vector<engine::ComparedSetting>& all)
{
    std::cout << listing(
                     {{"scan", scan.name},
                      {"slice", std::to_string(session.slice) + " of " + std::to_string(scan.slices()) + ", from 0"},
                      {"against", engine::referenceText(session.list, all.front().reference.get())},
                      {"inside", engine::areaText(session)},
                      {"unit", all.front().result->unit}})
              << '\n';
    std::vector<std::vector<std::string>> cells = {{"setting", "method", "kernel GU/s", "total GU/s"}};
    for (const engine::MetricRow& row : engine::metricRows())
        cells.front().emplace_back(row.label);
    for (const engine::ComparedSetting& one : all) {
        cells.push_back({one.setting.name, one.result->method, number(one.result->kernelGups, 3),
                         number(one.result->totalGups, 3)});
        for (const engine::MetricRow& row : engine::metricRows())
            cells.back().push_back(one.metrics ? number((*one.metrics).*row.value, 6) : "–");
    }
    std::cout << table(cells);
    printConsistency(all);
    printAreas(session, all);
    printEdges(session, all);
    if (const std::size_t hidden = session.list.settings.size() - all.size(); hidden > 0)
        std::cout << "note: " << hidden << (hidden == 1 ? " setting is" : " settings are")
                  << " hidden in the session, and left out\n";
    for (const engine::ComparedSetting& one : all) {
        const std::vector<engine::Note>& notes = one.result->notes;
        for (const engine::Note& note : notes)
            std::cout << "note: " << words(one.setting.name + ": " + note.text()) << '\n';
        if (!one.reference)
            continue;
        for (const engine::Note& note : one.reference->notes)
            if (std::ranges::find(notes, note) == notes.end())
                std::cout << "note: reference of " << words(one.setting.name + ": " + note.text()) << '\n';
    }
}

void takeReference(engine::SettingList& list, const std::string& text)
{
    if (text.empty())
        return;
    list.reference = engine::referenceFromText(text);
    if (std::filesystem::path& file = list.reference.file.file; !file.empty())
        file = std::filesystem::absolute(file).lexically_normal(); // as the report writes it
    if (list.reference.id == 0 || list.find(list.reference.id))
        return;
    std::vector<std::string> ids;
    for (const engine::NamedSetting& one : list.settings)
        ids.push_back(std::to_string(one.id) + " (" + one.name + ")");
    throw engine::Error(engine::ErrorKind::badRequest, "--against: the session has no setting " +
                                                           std::to_string(list.reference.id) + "; the ids are " +
                                                           joined(ids, ", "));
}

// Throws if the scan or session has no such slice.
void requireSlice(int slice, const engine::Scan& scan)
{
    engine::require(slice < scan.slices(), "slice " + std::to_string(slice) +
                                               " is not in the scan, which has slices 0 to " +
                                               std::to_string(scan.slices() - 1));
}

void setGiven(const std::map<std::string, std::string>& texts, engine::Request& request)
{
    for (const engine::Option& row : engine::options())
        if (const std::string& text = texts.at(row.id); !text.empty())
            engine::setField(row, request, text);
}

// Throws if an option of a setting is given: a session has its own.
void requireNoSettings(const std::map<std::string, std::string>& texts)
{
    for (const engine::Option& row : engine::options())
        engine::require(!(row.use.ofSetting || row.use.stage == engine::Stage::backproject) ||
                            texts.at(row.id).empty() || row.id == std::string("device") ||
                            row.id == std::string("threads"),
                        std::string("--") + row.id +
                            ": the settings of the session are compared as they are; to change the chosen one, give "
                            "--vary");
}

int compareSession(const CompareSettingsOptions& options, const engine::Session& opened,
                   const std::shared_ptr<const engine::Scan>& scan, std::stop_token stop)
{
    requireNoSettings(options.texts);
    ReportFile report(options.json, options.overwrite);
    engine::Session session = opened;
    takeReference(session.list, options.against);
    engine::ProtectedInputs inputs(*scan);
    inputs.add({options.scan.path, "SESSION"});
    inputs.add({session.list.reference.file.file, "the reference"});
    report.refuse(inputs);
    engine::Request resources;
    resources.resources = session.resources;
    setGiven(options.texts, resources);
    session.resources = resources.resources;
    std::vector<engine::ComparedSetting> all;
    {
        ProgressBar bar;
        all = engine::compareSettings(
            scan, session.list, session.resources, session.slice, session.marks.mask(),
            [&bar](double fraction) { bar.show(fraction, "comparing"); }, stop);
        engine::measureConsistency(
            all, session.slice, [&bar](double fraction) { bar.show(fraction, "comparing with the projections"); },
            stop);
    }
    report.write(engine::comparedSettingsJson(session, *scan, all));
    if (report.textWanted())
        print(session, *scan, all);
    return 0;
}

// Throws Error(badFile), with a hint if the file may be a scan.
engine::Session sessionOf(const CompareSettingsOptions& options)
{
    try {
        return engine::readSession(options.scan.path);
    } catch (const engine::Error& error) {
        if (options.scan.path.ends_with(".sinoscope"))
            throw;
        throw engine::Error(error.kind(), error.text() + " To compare settings of a scan, give --vary " +
                                              engine::variationForms + ".");
    }
}

int compareSettings(const CLI::App& command, const CompareSettingsOptions& options, std::stop_token stop)
{
    requireDistinct({{"SCAN", options.scan.path}, {"--json", options.json == "-" ? "" : options.json}});
    const bool isSweep = !options.sweep.vary.empty();
    std::optional<engine::Session> session;
    engine::OpenOptions open = options.scan.open;
    if (options.isSession()) {
        session = sessionOf(options);
        session->opened = open = engine::openedOver(session->opened, open);
        session->slice = options.slice.value_or(session->slice);
    }
    const std::shared_ptr<const engine::Scan> scan =
        session ? engine::openScan(*session, stop) : engine::openScan(options.scan.path, open, stop);
    const int slice = session ? session->slice : options.slice.value_or(scan->slices() / 2);
    requireSlice(slice, *scan);
    warnOfValues(*scan);
    if (!isSweep)
        return compareSession(options, *session, scan, stop);
    engine::Request request;
    if (session) {
        request.setting = session->list.chosen().setting;
        request.resources = session->resources;
    }
    request.scan = scan;
    request.place.setSlices({slice, 1});
    setGiven(options.texts, request);
    engine::require(!request.place.plane() || !options.slice, "--plane takes the place of slices: leave out --slice");
    return sweep(command, options.sweep,
                 {options.scan.path, request, options.texts, open, session ? &*session : nullptr, options.against,
                  options.json, options.overwrite},
                 stop);
}

} // namespace

Command compareSettingsCommand(CLI::App& program)
{
    CLI::App* command = program.add_subcommand(
        "compare-settings", "Compare settings of a scan: options varied over values, or those of a saved session");
    command->footer("Examples:\n"
                    "  sinoscope-cli compare-settings tooth.h5 --vary axis=290:300:0.5 --best sharpness\n"
                    "  sinoscope-cli compare-settings tooth.h5 --vary filter=ram-lak,hann --vary cutoff=0.4:1:0.2 \\\n"
                    "      --best error --report filters.html\n"
                    "  sinoscope-cli compare-settings tooth.h5 --vary precision=float,half --vary "
                    "interpolation=nearest,linear\n"
                    "  sinoscope-cli compare-settings tooth.h5 --vary axis=290:300:0.5 -o axes.h5 --csv -\n"
                    "  sinoscope-cli compare-settings tooth.sinoscope --slice 40 --json numbers.json\n"
                    "  sinoscope-cli compare-settings tooth.sinoscope --against file:tooth_rec.h5");
    const auto options = std::make_shared<CompareSettingsOptions>();
    addScanOptions(*command, options->scan);
    command->get_option("SCAN")->description("Scan, or session file that the window saved (F.sinoscope)");
    addSweepOptions(*command, options->sweep);
    command
        ->add_option("--slice", options->slice, "Slice to compare, from 0; default: the middle one, or the session's")
        ->type_name("K")
        ->check(wholeNumber(0, 1'000'000));
    command
        ->add_option(
            "--reference,--against", options->against,
            std::string("Reference: ") + engine::referenceForms +
                ", or none; with --vary the ID is a setting's number in the table. Default: the session's; of a "
                "sweep exact where only kernels vary, else the phantom of a simulated scan")
        ->type_name("REFERENCE")
        ->check(takenBy([](const std::string& text) {
            if (text != "none")
                engine::referenceFromText(text);
        }));
    addSettingRows(*command, options->texts);
    addJson(*command, options->json, options->overwrite);
    return {command, [options, command](std::stop_token stop) { return compareSettings(*command, *options, stop); }};
}

} // namespace cli
