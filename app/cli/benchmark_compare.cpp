// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/benchmark_compare.h"

#include "app/cli/progress_bar.h"
#include "app/cli/report_file.h"
#include "app/cli/text.h"
#include "engine/base/error.h"
#include "engine/base/stopwatch.h"
#include "engine/io/files/input_file.h"
#include "engine/measure/compare_speed.h"
#include "engine/measure/scratch_folder.h"

#include <CLI/CLI.hpp>

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <optional>
#include <set>
#include <thread>

extern char** environ;

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
    static const std::set<std::string> ofComparison{"--compare", "--pairs", "--json", "--overwrite"};
    std::vector<std::string> arguments{command.get_name()};
    for (const CLI::Option* option : command.get_options()) {
        const std::string name = option->get_name();
        if (option->count() == 0 || ofComparison.contains(name))
            continue;
        arguments.push_back(name);
        if (option->get_expected_max() > 0)
            arguments.push_back(joined(option->results(), ","));
    }
    return arguments;
}

// A child process whose standard output is discarded; its standard error is shown. The destructor ends the process.
class Process
{
  public:
    Process(const std::string& program, std::vector<std::string> arguments)
    {
        arguments.insert(arguments.begin(), program);
        std::vector<char*> pointers;
        for (std::string& argument : arguments)
            pointers.push_back(argument.data());
        pointers.push_back(nullptr);
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
        const int failure = posix_spawn(&m_process, program.c_str(), &actions, nullptr, pointers.data(), environ);
        posix_spawn_file_actions_destroy(&actions);
        if (failure != 0)
            throw Error(ErrorKind::badRequest, program + ": it can't be started: " + std::strerror(failure));
    }
    ~Process()
    {
        if (m_process <= 0)
            return;
        kill(m_process, SIGTERM);
        waitpid(m_process, nullptr, 0);
    }
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

    // Returns the exit status; 128 plus the signal number if a signal ended the process. Throws Error(cancelled).
    int wait(const std::stop_token& stop)
    {
        int status = 0;
        while (true) {
            const pid_t ended = waitpid(m_process, &status, WNOHANG);
            if (ended == m_process)
                break;
            if (ended < 0 && errno != EINTR)
                throw Error(ErrorKind::badRequest,
                            std::string("a benchmark can't be waited for: ") + std::strerror(errno));
            engine::throwIfStopped(stop);
            std::this_thread::sleep_for(std::chrono::milliseconds(2)); // the process runs for seconds
        }
        m_process = -1;
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }

  private:
    pid_t m_process = -1;
};

// The settings that one run of the program measured, and its elapsed (wall-clock) seconds.
struct Measured {
    std::vector<engine::TimedSetting> settings;
    double seconds = 0;
};

Measured runOf(const std::string& program, const std::string& name, std::vector<std::string> arguments,
               const fs::path& folder, const std::stop_token& stop)
{
    const fs::path report = folder / "benchmark.json";
    arguments.insert(arguments.end(), {"--json", report.string()});
    const engine::Stopwatch watch;
    const int status = Process(program, arguments).wait(stop);
    const double seconds = watch.seconds();
    if (status != 0)
        throw Error(ErrorKind::badRequest,
                    name + ": `" + joined(arguments, " ") + "` ended with status " + std::to_string(status));
    const std::string text = engine::textOf(report, "the report of " + name);
    fs::remove(report); // the next run writes a new one
    return {engine::timedSettings(text, name), seconds};
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
    const bool areReused = std::ranges::any_of(
        comparison.settings, [](const engine::SpeedRatios& setting) { return setting.reusedTotal.has_value(); });
    std::vector<std::vector<std::string>> rows = {{"setting", "kernel", "", "total", ""}};
    if (areReused)
        append(rows.front(), {"memory reused", ""});
    rows.front().push_back("");
    for (const engine::SpeedRatios& setting : comparison.settings) {
        std::vector<std::string> row{setting.name};
        append(row, cellsOf(setting.kernel));
        append(row, cellsOf(setting.total));
        if (areReused)
            append(row, setting.reusedTotal ? cellsOf(*setting.reusedTotal) : std::vector<std::string>{"–", ""});
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

int compareBenchmarks(const CLI::App& command, const BenchmarkComparison& asked, ReportFile& report,
                      const std::stop_token& stop)
{
    engine::ProtectedInputs inputs;
    inputs.add({asked.other, "--compare"});
    report.refuse(inputs);
    const std::vector<std::string> arguments = benchmarkArguments(command);
    const bool takesTurns = isProgram(asked.other);
    std::vector<engine::TimedSetting> earlier;
    if (!takesTurns)
        earlier = engine::timedSettings(engine::textOf(asked.other, "'" + asked.other + "'"), asked.other);
    const engine::ScratchFolder folder(fs::temp_directory_path().string());
    const std::string own = fs::read_symlink(thisProgram).string();
    const std::string other = takesTurns ? fs::absolute(asked.other).string() : "";
    std::vector<engine::SpeedPair> pairs;
    {
        ProgressBar bar;
        for (int pair = 0; pair < asked.pairs; ++pair) {
            bar.show(1.0 * pair / asked.pairs, "pair " + std::to_string(pair + 1));
            // The first run of a pair meets the machine in a different state, so the two programs take turns at going
            // first.
            std::optional<Measured> ownRun, otherRun;
            if (pair % 2 == 0)
                ownRun = runOf(own, "this build", arguments, folder.path(), stop);
            if (takesTurns)
                otherRun = runOf(other, asked.other, arguments, folder.path(), stop);
            if (!ownRun)
                ownRun = runOf(own, "this build", arguments, folder.path(), stop);
            pairs.push_back({std::move(ownRun->settings), otherRun ? std::move(otherRun->settings) : earlier,
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
