// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/model_text.h"
#include "app/cli/options.h"
#include "app/cli/report_file.h"
#include "app/cli/text.h"
#include "engine/base/error.h"
#include "engine/documents/measured_report.h"
#include "engine/volume/performance_model.h"
#include "engine/volume/performance_model_json.h"
#include "engine/volume/published.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

namespace cli
{

namespace
{

constexpr int mostRanks = 1'000'000;

struct ModelOptions {
    engine::Problem problem;
    std::optional<int> rows; // rows of the grid of ranks
    std::string grid;
    std::string rates = "paper", loading;
    std::vector<int> ranks; // empty: powers of two up to 2,048
    std::string json, csv;
    bool overwrite = false;
};

// Parses "1..2048" (each number twice the previous one), "1,2,3", or a combination.
std::vector<int> ranksFromText(const std::string& text)
{
    engine::require(!text.ends_with(','), "bad ranks '" + text + "'; nothing follows the last comma");
    std::vector<int> ranks;
    for (const std::string& part : CLI::detail::split(text, ',')) {
        const std::size_t dots = part.find("..");
        const int first = countFromText(part.substr(0, dots), "ranks", mostRanks);
        const int last = dots == std::string::npos ? first : countFromText(part.substr(dots + 2), "ranks", mostRanks);
        engine::require(first <= last, "bad ranks '" + part + "'; the first is more than the last");
        for (int count = first; count <= last; count *= 2)
            if (std::ranges::find(ranks, count) == ranks.end())
                ranks.push_back(count);
    }
    return ranks;
}

std::vector<engine::RankGrid> gridsOf(const ModelOptions& options, const engine::Rates& rates)
{
    if (!options.grid.empty())
        return {engine::rankGridFromText(options.grid)};
    std::vector<engine::RankGrid> grids;
    std::vector<engine::Note> notes;
    std::optional<engine::Error> impossible;
    const int first = options.rows.value_or(1);
    const std::string usual = std::to_string(first) + ".." + std::to_string(std::max(first, 2048));
    for (const int ranks : options.ranks.empty() ? ranksFromText(usual) : options.ranks)
        try {
            const engine::Problem problem = engine::forRanks(options.problem, ranks);
            const engine::RankGrid grid = engine::rankGridFor(problem, rates, ranks, options.rows);
            engine::predict(problem, rates, grid);
            grids.push_back(grid);
        } catch (const engine::Error& error) { // other numbers of ranks may be possible
            impossible = error;
            notes.push_back(std::to_string(ranks) + " ranks are left out: " + error.text());
        }
    if (grids.empty() && impossible)
        throw *impossible;
    for (const engine::Note& note : notes)
        std::cerr << "note: " << words(note.text()) << '\n';
    return grids;
}

std::string gridsText(const ModelOptions& options, const engine::Rates& rates)
{
    if (!options.grid.empty() || options.rows)
        return {};
    return rates.loading == engine::Loading::gathered ? "R × C: as few rows as the memory of a GPU allows.\n"
                                                      : "R × C: the fastest for each number of ranks.\n";
}

int runModel(const ModelOptions& options)
{
    const auto file = [](const std::string& target, const char* word) { return target == word ? "" : target; };
    engine::require(options.json != "-" || options.csv != "-",
                    "--json and --csv can't both have standard output; name a file for one");
    requireDistinct({{"--rates", file(options.rates, "paper")},
                     {"--json", file(options.json, "-")},
                     {"--csv", file(options.csv, "-")}});
    engine::Rates rates = options.rates == "paper" ? engine::paperRates() : engine::readRates(options.rates);
    if (rates.name.empty())
        rates.name = options.rates;
    if (!options.loading.empty())
        rates.loading = engine::loadingFromText(options.loading);
    engine::require(
        options.problem.coneRatio == 0 || rates.loading != engine::Loading::gathered,
        "--cone-ratio applies only to bands of rows, but these ranks filter shares of whole projections; add --loading "
        "bands or exchanged");
    const std::vector<engine::ModelledRanks> rows = engine::modelRanks(options.problem, rates, gridsOf(options, rates));
    ReportFile json(options.json, options.overwrite);
    ReportFile csv(options.csv, options.overwrite, "--csv", "ranks,");
    engine::ProtectedInputs inputs;
    inputs.add({file(options.rates, "paper"), "--rates"});
    json.refuse(inputs);
    csv.refuse(inputs);
    json.write(engine::modelJson(options.problem, rates, rows));
    csv.write(modelCsv(rows));
    if (json.textWanted() && csv.textWanted())
        std::cout << modelText(options.problem, rates, rows) << gridsText(options, rates);
    return 0;
}

void addProblem(CLI::App& command, engine::Problem& problem)
{
    command
        .add_option_function<std::string>(
            "--size",
            [&problem](const std::string& text) {
                const auto [side, slices] = sizesFromText(text, "size");
                problem.sizeX = problem.sizeY = side;
                problem.sizeZ = slices;
            },
            "Voxels along each side of the volume, or along each side of a slice and number of slices: 4096, or "
            "4096x512")
        ->type_name("N[xSLICES]")
        ->check(takenBy([](const std::string& text) { sizesFromText(text, "size"); }))
        ->default_str("4096");
    command
        .add_option_function<std::string>(
            "--detector",
            [&problem](const std::string& text) {
                std::tie(problem.rows, problem.bins) = sizesFromText(text, "detector");
            },
            "Rows and bins of the detector, whose height covers the volume")
        ->type_name("ROWSxBINS")
        ->check(takenBy([](const std::string& text) { sizesFromText(text, "detector"); }))
        ->default_str("2048x2048");
    CLI::Option* projections = command.add_option("--projections", problem.projections, "Number of projections")
                                   ->type_name("P")
                                   ->check(wholeNumber(1, 1'000'000))
                                   ->capture_default_str();
    command
        .add_option(
            "--projections-per-rank", problem.projectionsPerRank,
            "Weak scaling: the number of projections grows with the ranks, of one GPU each, which add this many")
        ->type_name("P")
        ->check(wholeNumber(1, 1'000'000))
        ->excludes(projections);
    command.add_option("--sample-bytes", problem.bytesPerSample, "Bytes per sample as loaded")
        ->type_name("B")
        ->check(realNumber(0, 64, false))
        ->capture_default_str();
    command.add_option("--voxel-bytes", problem.bytesPerVoxel, "Bytes per voxel as stored")
        ->type_name("B")
        ->check(realNumber(0, 64, false))
        ->capture_default_str();
    command
        .add_option("--cone-ratio", problem.coneRatio,
                    "For a cone beam, with bands: radius of the volume divided by the distance from source to axis; 0 "
                    "for parallel beams")
        ->type_name("Q")
        ->check(realNumber(0, 0.99))
        ->capture_default_str();
}

} // namespace

Command modelCommand(CLI::App& program)
{
    CLI::App* command = program.add_subcommand("model", "Predict the time on many GPUs from the rates of a machine");
    command->footer("Examples:\n"
                    "  sinoscope-cli model\n"
                    "  sinoscope-cli model --size 8192 --ranks 256..2048 --csv 8192.csv\n"
                    "  sinoscope-cli model --ranks 32..2048 --projections-per-rank 16\n"
                    "  sinoscope-cli model --rates here.json --ranks 1..64 --cone-ratio 0.2\n"
                    "  sinoscope-cli model --rows 64 --json - | jq '.rows[].seconds.total'");
    const auto options = std::make_shared<ModelOptions>();
    addProblem(*command, options->problem);
    CLI::Option* ranks =
        command
            ->add_option_function<std::string>(
                "--ranks", [options](const std::string& text) { options->ranks = ranksFromText(text); },
                "Numbers of ranks, one GPU each: 4,6, or 1..2048 in powers of two; default: 1..2048")
            ->type_name("LIST")
            ->check(takenBy([](const std::string& text) { ranksFromText(text); }));
    CLI::Option* rows = command
                            ->add_option("--rows", options->rows,
                                         "Rows of the grid of ranks, which split the slices; the columns, which split "
                                         "the projections, follow from the number of ranks")
                            ->type_name("R")
                            ->check(wholeNumber(1, mostRanks));
    command->add_option("--grid", options->grid, "Predict only this grid of rows and columns")
        ->type_name("ROWSxCOLUMNS")
        ->check(takenBy([](const std::string& text) { engine::rankGridFromText(text); }))
        ->excludes(ranks)
        ->excludes(rows);
    command
        ->add_option("--rates", options->rates,
                     "Rates of a machine: those of the paper on iFDK, or a file with an object \"rates\"")
        ->type_name("paper|FILE.json")
        ->check(notEmpty())
        ->capture_default_str();
    command
        ->add_option("--loading", options->loading,
                     "Ranks load bands of all projections, or shares of whole projections, which they exchange after "
                     "(gathered) or before filtering (exchanged); default: as in the rates")
        ->type_name("gathered|bands|exchanged")
        ->check(oneOf({"gathered", "bands", "exchanged"}));
    command->add_option("--csv", options->csv, "Write a line for each number of ranks as CSV; - is standard output")
        ->type_name("FILE.csv")
        ->check(notEmpty());
    addJson(*command, options->json, options->overwrite);
    return {command, [options](std::stop_token) { return runModel(*options); }};
}

} // namespace cli
