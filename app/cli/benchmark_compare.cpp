// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/benchmark_compare.h"

#include "app/cli/parse.h"
#include "app/cli/progress_bar.h"
#include "app/cli/report_file.h"
#include "app/cli/text.h"
#include "engine/base/child_process.h"
#include "engine/base/error.h"
#include "engine/base/remove_file.h"
#include "engine/base/stopwatch.h"
#include "engine/io/files/scratch_folder.h"
#include "engine/measure/benchmark_json.h"
#include "engine/measure/compare_speed.h"

#include <CLI/CLI.hpp>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <optional>

namespace cli
{

namespace fs = std::filesystem;
using engine::Error;
using engine::ErrorKind;

namespace
{

constexpr auto thisProgram = "/proc/self/exe";

// Returns the arguments of the command without the options of the comparison.
std::vector<std::string> benchmarkArguments(const CLI::App& command)
{
    return argumentsOf(command, {"--compare", "--pairs", "--json", "--overwrite"});
}

// The rows that one run of the program measured, and its elapsed (wall-clock) seconds.
struct Measured {
    std::vector<engine::BenchmarkRow> rows;
    double seconds = 0;
};

Measured runOf(const std::string& program, const std::string& name, std::vector<std::string> arguments,
               const fs::path& report, const std::stop_token& stop)
{
    arguments.insert(arguments.end(), {"--json", report.string()});
    const engine::Stopwatch watch;
    const int status = engine::ChildProcess(program, arguments).wait(stop);
    const double seconds = watch.seconds();
    if (status != 0)
        throw Error(ErrorKind::badRequest,
                    name + ": `" + joined(arguments, " ") + "` ended with status " + std::to_string(status));
    std::vector<engine::BenchmarkRow> rows = engine::readBenchmark(report).rows;
    engine::removeFile(report); // the next run writes a new one
    return {std::move(rows), seconds};
}

bool isProgram(const std::string& path)
{
    return fs::is_regular_file(path) && access(path.c_str(), X_OK) == 0;
}

std::string percent(double ratio)
{
    return number(100 * ratio, 4) + " %";
}

std::vector<std::string> cellsOf(const engine::MedianInterval& ratio)
{
    return {percent(ratio.median), percent(ratio.lower) + " to " + percent(ratio.upper)};
}

void append(std::vector<std::string>& row, const std::vector<std::string>& cells)
{
    row.insert(row.end(), cells.begin(), cells.end());
}

void print(const engine::SpeedComparison& comparison, const BenchmarkComparison& asked, bool takesTurns)
{
    std::cout << "Speed of this build over that of " << plain(asked.other) << ", "
              << (takesTurns ? std::to_string(asked.pairs) + " pairs of alternating runs"
                             : std::to_string(asked.pairs) +
                                   " runs; the other build was measured earlier, so the ratios include changes of the "
                                   "machine since then")
              << ". Median and 95 % interval:\n\n";
    std::vector<std::vector<std::string>> rows = {{"setting"}};
    std::vector<const char*> keys; // of all settings' ratios
    for (const engine::SpeedRatios& setting : comparison.settings)
        for (const engine::SpeedRatio& one : setting.ratios)
            if (std::ranges::find(keys, one.key) == keys.end()) {
                keys.push_back(one.key);
                append(rows.front(), {one.label, ""});
            }
    rows.front().push_back("");
    for (const engine::SpeedRatios& setting : comparison.settings) {
        std::vector<std::string> row{setting.name};
        for (const char* key : keys) {
            const auto one = std::ranges::find(setting.ratios, key, &engine::SpeedRatio::key);
            append(row, one == setting.ratios.end() ? std::vector<std::string>{"–", ""} : cellsOf(one->ratio));
        }
        row.push_back(setting.isSlower() ? "SLOWER" : "");
        rows.push_back(std::move(row));
    }
    std::cout << table(rows);
    if (comparison.wallClock)
        std::cout << "\nWhole runs by the wall clock: " << joined(cellsOf(*comparison.wallClock), ", ") << '\n';
    for (const std::string& name : comparison.onlyHere)
        std::cout << "Only in this build: " << name << '\n';
    for (const std::string& name : comparison.onlyThere)
        std::cout << "Only in the other: " << name << '\n';
    std::cout << '\n'
              << (comparison.isSlower() ? "SLOWER: a whole interval lies below "
                                        : "None is shown to be slower: no interval lies wholly below ")
              << percent(engine::slowerBelow) << '\n';
}

} // namespace

std::string benchmarkCommandLine(const CLI::App& command)
{
    return "sinoscope-cli " + joined(benchmarkArguments(command), " ");
}

int compareBenchmarks(const CLI::App& command, const BenchmarkComparison& asked, ReportFile& report,
                      const std::stop_token& stop)
{
    engine::ProtectedInputs inputs;
    inputs.add({asked.other, "--compare"});
    report.refuse(inputs);
    const std::vector<std::string> arguments = benchmarkArguments(command);
    const bool takesTurns = isProgram(asked.other);
    std::vector<engine::BenchmarkRow> earlier;
    if (!takesTurns)
        earlier = engine::readBenchmark(asked.other).rows;
    engine::ScratchFolder folder(fs::temp_directory_path());
    const fs::path written = folder.file("benchmark.json");
    const std::string own = fs::read_symlink(thisProgram).string();
    const std::string other = takesTurns ? fs::absolute(asked.other).string() : "";
    std::vector<engine::SpeedPair> pairs;
    {
        ProgressBar bar(true);
        for (int pair = 0; pair < asked.pairs; ++pair) {
            bar.show(1.0 * pair / asked.pairs, "pair " + std::to_string(pair + 1));
            // The first run of a pair meets the machine in a different state, so the two programs take turns at going
            // first.
            std::optional<Measured> ownRun, otherRun;
            if (pair % 2 == 0)
                ownRun = runOf(own, "this build", arguments, written, stop);
            if (takesTurns)
                otherRun = runOf(other, asked.other, arguments, written, stop);
            if (!ownRun)
                ownRun = runOf(own, "this build", arguments, written, stop);
            pairs.push_back({std::move(ownRun->rows), otherRun ? std::move(otherRun->rows) : earlier,
                             takesTurns ? ownRun->seconds : 0, otherRun ? otherRun->seconds : 0});
        }
    }
    const engine::SpeedComparison comparison = engine::compareSpeed(pairs);
    report.write(engine::speedComparisonJson(comparison, asked.other, asked.pairs));
    if (report.textWanted())
        print(comparison, asked, takesTurns);
    return comparison.isSlower() ? 1 : 0;
}

} // namespace cli
