// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/sweep.h"

#include "app/cli/last_words.h"
#include "app/cli/options.h"
#include "app/cli/parse.h"
#include "app/cli/progress_bar.h"
#include "app/cli/report_file.h"
#include "app/cli/text.h"
#include "engine/base/error.h"
#include "engine/compare/histogram.h"
#include "engine/compare/marks.h"
#include "engine/compare/reference_image.h"
#include "engine/documents/repeat_command.h"
#include "engine/documents/session.h"
#include "engine/documents/sweep_report.h"
#include "engine/io/files/png_image.h"
#include "engine/io/slices/image_stack.h"
#include "engine/io/slices/slice_writer.h"
#include "engine/request/section.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>
#include <utility>

namespace cli
{

namespace
{

using engine::Error;
using engine::ErrorKind;

constexpr int picturePixels = 320;        // per side, in a report
constexpr const char* wholeImage = "all"; // --area

std::string scoreIds()
{
    std::vector<std::string> ids;
    for (const engine::Score& score : engine::scores())
        ids.push_back(score.id);
    return joined(ids, "|");
}

std::vector<const engine::Score*> wantedScores(const SweepOptions& options,
                                               const std::optional<engine::ReferenceChoice>& reference)
{
    std::vector<const engine::Score*> wanted;
    const auto add = [&wanted](const engine::Score& score) {
        if (std::ranges::find(wanted, &score) == wanted.end())
            wanted.push_back(&score);
    };
    if (options.scores.empty())
        wanted = engine::usualScores(reference);
    for (const std::string& id : options.scores)
        if (id == "all") {
            for (const engine::Score& score : engine::scores())
                if (reference || !score.needsReference)
                    add(score);
        } else {
            const engine::Score& score = engine::scoreNamed(id);
            engine::require(reference || !score.needsReference,
                            "--scores: '" + id + "' needs a reference; give --reference");
            add(score);
        }
    if (!options.best.empty())
        add(engine::scoreNamed(options.best));
    return wanted;
}

// Throws if the score can't tell which setting is best, with those that can.
void requireJudge(const engine::Score& chosen, const engine::Sweep& sweep,
                  const std::optional<engine::ReferenceChoice>& reference)
{
    const std::optional<engine::Text> why = chosen.whyNotBest(sweep, reference);
    if (!why)
        return;
    std::vector<std::string> able;
    for (const engine::Score& score : engine::scores())
        if (!score.whyNotBest(sweep, reference))
            able.push_back(score.id);
    throw Error(ErrorKind::badRequest, "--best " + chosen.id + ": " + *why + "; possible here: " + joined(able, ", "));
}

engine::Sweep sweepOf(const SweepOptions& options, const SweepBase& base)
{
    std::vector<engine::Variation> variations;
    for (const std::string& text : options.vary)
        variations.push_back(engine::variationFromText(text));
    const auto isChosen = [&](const engine::Option& row) {
        const auto given = base.given.find(row.id);
        return (given != base.given.end() && !given->second.empty()) ||
               std::ranges::any_of(variations, [&](const engine::Variation& one) { return one.option == &row; });
    };
    for (const engine::Variation& one : variations)
        if (const auto given = base.given.find(one.option->id); given != base.given.end() && !given->second.empty())
            throw Error(ErrorKind::badRequest,
                        std::string("--") + one.option->id + " is varied: leave it out, or leave out --vary");
    const bool passes = !base.session && !isChosen(engine::option("slices-per-pass"));
    engine::Sweep sweep = engine::sweepOf(base.request, std::move(variations), options.zip, passes,
                                          options.most > 0 ? options.most : engine::mostPoints);
    for (const engine::Option& row : engine::options())
        if (const auto given = base.given.find(row.id);
            row.idle && given != base.given.end() && !given->second.empty() &&
            std::ranges::all_of(sweep.points, [&](const auto& point) { return row.idle(point.request).has_value(); }))
            throw Error(ErrorKind::badRequest,
                        std::string("--") + row.id + ": " + *row.idle(sweep.points.front().request));
    if (std::ranges::all_of(sweep.points, [](const auto& point) { return point.refusal.has_value(); }))
        throw Error(ErrorKind::badRequest,
                    pointName(sweep, sweep.points.front()) + ": " + *sweep.points.front().refusal);
    return sweep;
}

std::unique_ptr<engine::ImageStack> stackFor(const SweepOptions& options, const SweepBase& base,
                                             const engine::Sweep& sweep, const engine::ProtectedInputs& inputs)
{
    if (options.output.empty())
        return nullptr;
    std::vector<engine::StackAxis> axes;
    for (const engine::Variation& variation : sweep.variations)
        axes.push_back({variation.option->id, variation.option->unit, variation.values});
    return std::make_unique<engine::ImageStack>(options.output, std::move(axes), sweep.isZipped, base.overwrite,
                                                inputs);
}

// Pictures of the images, all with the range of values of the first one.
class Pictures
{
  public:
    Pictures(std::size_t count, bool wanted) : m_pictures(wanted ? count : 0) {}

    void add(std::size_t point, const engine::Volume& image, int slice)
    {
        if (m_pictures.empty())
            return;
        const std::span<const float> pixels = image.slice(slice);
        if (!m_range)
            m_range = engine::rangeOf(pixels, image.width, image.height, {}, 0.005);
        if (m_range && m_range->highest > m_range->lowest)
            m_pictures[point] =
                engine::greyPng(pixels, image.width, image.height, m_range->lowest, m_range->highest, picturePixels);
    }
    std::vector<std::string> take() { return std::move(m_pictures); }

  private:
    std::vector<std::string> m_pictures;
    std::optional<engine::HistogramRange> m_range;
};

std::string cellOf(double value)
{
    return std::isnan(value) ? "–" : number(value, 6);
}

// Returns the command of the best setting, with what it is best by.
std::string bestText(const engine::SweepReport& report)
{
    return "* best by " + report.score->id + (report.all.isStopped ? ", of those that were computed" : "") + ":\n" +
           report.bestCommand;
}

void print(const engine::SweepReport& report)
{
    const engine::Sweep& sweep = report.task.sweep;
    const bool isPlane = sweep.base.place.plane().has_value();
    std::cout << listing({{"scan", sweep.base.scan->name},
                          {"slice", isPlane ? std::string()
                                            : std::to_string(report.task.slice) + " of " +
                                                  std::to_string(sweep.base.scan->slices()) + ", from 0"},
                          {"reference", report.reference},
                          {"inside", report.area}})
              << '\n';
    std::vector<std::vector<std::string>> cells{{std::string()}};
    for (const engine::Variation& variation : sweep.variations)
        cells.front().emplace_back(variation.option->id);
    for (const engine::Score* score : report.task.wanted) {
        const std::string unit = unitOf(*score, report.all);
        cells.front().push_back(score->id + (unit.empty() || score->id == "gups" || score->id == "seconds"
                                                 ? std::string()
                                                 : " (" + unit + ")"));
    }
    std::vector<std::pair<std::string, std::vector<std::string>>> notes; // numbers of the points, by note
    const auto addNote = [&notes](const std::string& note, std::size_t point) {
        auto of = std::ranges::find(notes, note, &std::pair<std::string, std::vector<std::string>>::first);
        if (of == notes.end())
            of = notes.insert(of, {note, {}});
        of->second.push_back(std::to_string(point + 1));
    };
    std::size_t missing = 0;
    for (std::size_t k = 0; k < report.all.points.size(); ++k) {
        const engine::SweptPoint& swept = report.all.points[k];
        if (!swept.made && !swept.failure) {
            ++missing;
            continue;
        }
        std::vector<std::string>& row =
            cells.emplace_back(std::vector<std::string>{std::to_string(k + 1) + (report.best == k ? " *" : "")});
        row.insert(row.end(), sweep.points[k].values.begin(), sweep.points[k].values.end());
        for (std::size_t s = 0; s < report.task.wanted.size(); ++s)
            row.push_back(s < swept.scores.size() ? cellOf(swept.scores[s]) : "–");
        if (swept.failure)
            addNote(words(*swept.failure), k);
        if (swept.made)
            for (const engine::Note& note : swept.made->notes)
                addNote(words(note.text()), k);
        if (swept.made && swept.made->timings.isSlowed())
            addNote("slowed by other work on this machine: the speed can't be compared", k);
    }
    std::cout << table(cells);
    for (const auto& [note, points] : notes)
        std::cout << "note: " << (points.size() == report.all.points.size() ? "all" : joined(points, ", ")) << ": "
                  << note << '\n';
    if (missing > 0)
        std::cout << "stopped: " << missing << " of " << report.all.points.size() << " settings were not computed\n";
    if (report.best)
        std::cout << '\n' << bestText(report) << '\n';
}

std::string areaOf(const SweepOptions& options, const SweepBase& base)
{
    if (options.area == wholeImage)
        return "whole image";
    if (!options.area.empty())
        return options.area;
    return base.session ? engine::areaText(*base.session) : "disc " + number(engine::Marks::discRadius, 2);
}

engine::Mask maskOf(const SweepOptions& options, const SweepBase& base)
{
    if (options.area == wholeImage)
        return {};
    if (!options.area.empty())
        return {.area = engine::areaFromText(options.area)};
    return base.session ? base.session->marks.mask() : engine::Mask{.discRadius = engine::Marks::discRadius};
}

std::string referenceOf(const engine::SweepTask& task)
{
    if (!task.reference)
        return {};
    const int id = task.reference->id; // of a point
    return engine::referenceText(
        *task.reference,
        id > 0 ? "setting " + std::to_string(id) + " (" +
                     pointName(task.sweep, task.sweep.points[static_cast<std::size_t>(id - 1)]) + ")"
               : std::string(),
        nullptr);
}

// Throws if the area lies beyond the image.
void requireInside(const engine::Mask& mask, const engine::Request& request)
{
    const engine::VolumeGrid& grid = engine::sectionOf(request).grid;
    engine::require(!mask.area || !engine::reachesBeyond(*mask.area, grid.width, grid.height),
                    "--area reaches beyond the image of " + std::to_string(grid.width) + " × " +
                        std::to_string(grid.height) + " pixels");
}

// score: by which the best is chosen; null: none.
engine::SweepTask taskOf(const SweepOptions& options, const SweepBase& base, const engine::Score* score)
{
    engine::SweepTask task{.sweep = sweepOf(options, base)};
    task.slice = base.request.place.plane() ? 0 : base.request.place.slices().first;
    task.mask = maskOf(options, base);
    requireInside(task.mask, base.request);
    if (base.against.empty())
        task.reference = engine::usualReference(task.sweep);
    else if (base.against != "none")
        task.reference = engine::referenceFromText(base.against);
    if (score)
        requireJudge(*score, task.sweep, task.reference);
    task.wanted = wantedScores(options, task.reference);
    return task;
}

std::string commandOf(const CLI::App& command)
{
    std::vector<std::string> words{"sinoscope-cli"};
    for (const std::string& word : argumentsOf(command, {}))
        words.push_back(engine::quotedForShell(word));
    return joined(words, " ");
}

void chooseBest(engine::SweepReport& report, const SweepBase& base)
{
    if (report.score)
        report.best = engine::bestOf(report.task, report.all, *report.score);
    if (report.best)
        report.bestCommand = engine::repeatCommand(
            *report.all.points[*report.best].made, base.opened,
            base.session ? base.session->simulation : std::optional<engine::Simulation>(), "best");
}

} // namespace

int sweep(const CLI::App& command, const SweepOptions& options, const SweepBase& base, std::stop_token stop)
{
    requireDistinct({{"SCAN", base.input},
                     {"--output", options.output},
                     {"--csv", options.csv == "-" ? "" : options.csv},
                     {"--report", options.page},
                     {"--json", base.json == "-" ? "" : base.json}});
    engine::require(options.csv != "-" || base.json != "-",
                    "--csv and --json can't both have standard output; name a file for one");
    ReportFile json(base.json, base.overwrite), page(options.page, base.overwrite, "--report", "<"),
        csv(options.csv, base.overwrite, "--csv", "abcdefghijklmnopqrstuvwxyz");
    const engine::Score* score = options.best.empty() ? nullptr : &engine::scoreNamed(options.best);
    const engine::SweepTask task = taskOf(options, base, score);
    engine::ProtectedInputs inputs(*base.request.scan);
    inputs.add({base.input, "SCAN"});
    if (task.reference)
        inputs.add({task.reference->file.file, "the reference"});
    for (ReportFile* file : {&json, &page, &csv})
        file->refuse(inputs);
    const std::unique_ptr<engine::ImageStack> stack = stackFor(options, base, task.sweep, inputs);
    Pictures pictures(task.sweep.points.size(), !options.page.empty());
    engine::SweptAll all;
    {
        ProgressBar bar;
        app::keepsWhatIsDone = true;
        all = engine::runSweep(
            task,
            [&](std::size_t point, const engine::Reconstruction& made) {
                const int slice = task.slice - (made.request.place.plane() ? 0 : made.request.place.slices().first);
                pictures.add(point, made.image, slice);
                if (stack)
                    stack->write(placesOf(task.sweep, task.sweep.points[point]), made.image, slice, made.unit);
            },
            [&](double fraction) { bar.show(fraction, "comparing"); }, stop);
    }
    engine::SweepReport report{.task = task,
                               .all = all,
                               .area = areaOf(options, base),
                               .reference = referenceOf(task),
                               .command = commandOf(command),
                               .score = score,
                               .pictures = pictures.take()};
    chooseBest(report, base);
    const std::string figures = engine::sweepJson(report);
    const bool hasStack = stack && stack->finish(figures);
    json.write(figures);
    csv.write(engine::sweepCsv(report));
    page.write(engine::sweepHtml(report));
    if (json.textWanted() && csv.textWanted()) {
        print(report);
        for (const std::string& file :
             {hasStack ? options.output : std::string(), options.csv, options.page, base.json})
            if (!file.empty())
                std::cout << "written: " << plain(file) << '\n';
    } else if (report.best && json.textWanted()) {
        std::cerr << bestText(report) << '\n';
    }
    if (all.isStopped)
        throw Error(ErrorKind::cancelled, "cancelled; what was computed is kept");
    return 0;
}

void addSweepOptions(CLI::App& command, SweepOptions& options)
{
    const char* const group = "Settings to compare";
    CLI::Option* vary =
        command
            .add_option("--vary", options.vary,
                        "Values of an option to try; given several times, all combinations. Values that "
                        "contain commas are separated by semicolons")
            ->type_name(engine::variationForms)
            ->expected(1)
            ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
            ->check(takenBy([](const std::string& text) { engine::variationFromText(text); }))
            ->group(group);
    command.add_flag("--zip", options.zip, "Vary the options together: first values, second values, and so on")
        ->needs(vary)
        ->group(group);
    command.add_option("--most", options.most, "Most combinations that may be tried [10000]")
        ->type_name("N")
        ->check(wholeNumber(1, 10'000'000))
        ->needs(vary)
        ->group(group);
    command
        .add_option("--scores", options.scores,
                    "Figures of each image, separated by commas, or all; default: those that need no further "
                    "reconstruction")
        ->delimiter(',')
        ->type_name(scoreIds() + "|all")
        ->check(takenBy([](const std::string& id) {
            if (id != "all")
                engine::scoreNamed(id);
        }))
        ->needs(vary)
        ->group(group);
    command
        .add_option("--best", options.best,
                    "Show the command of the setting that is best by this figure; refused where the figure can't judge "
                    "the varied options")
        ->type_name(scoreIds())
        ->check(takenBy([](const std::string& id) { engine::scoreNamed(id); }))
        ->needs(vary)
        ->group(group);
    command
        .add_option("--area", options.area,
                    "Area of the figures, in pixels: all, " + engine::areaForms() + "; default: disc 0.9")
        ->type_name("AREA")
        ->check(takenBy([](const std::string& text) {
            if (text != wholeImage)
                engine::areaFromText(text);
        }))
        ->needs(vary)
        ->group(group);
    command
        .add_option("-o,--output", options.output,
                    "Write the images: F.h5 with the varied values as axes, or a folder with a TIFF for each")
        ->type_name("F.h5|DIR")
        ->check(takenBy(engine::requireOutputName))
        ->needs(vary)
        ->group(group);
    command
        .add_option("--csv", options.csv, "Write the table as CSV; - is standard output, which then has nothing else")
        ->type_name("FILE")
        ->check(notEmpty())
        ->needs(vary)
        ->group(group);
    command.add_option("--report", options.page, "Write table and pictures as a page for a browser")
        ->type_name("F.html")
        ->check(notEmpty())
        ->needs(vary)
        ->group(group);
}

} // namespace cli
