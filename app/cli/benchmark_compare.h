// SPDX-License-Identifier: GPL-3.0-or-later
// `benchmark --compare`: compares this build with another one, or with an earlier report.
#pragma once

#include <stop_token>
#include <string>

namespace CLI
{
class App;
}

namespace cli
{

class ReportFile;

struct BenchmarkComparison {
    std::string other; // path of another sinoscope-cli, or of a report of `benchmark --json`
    int pairs = 9;
};

// Returns the command line of the benchmark, without the options of the comparison and of its report.
std::string benchmarkCommandLine(const CLI::App& command);

// Runs `benchmark` with the arguments given to the command, each run in a process of its own. If `other` is a
// program, this program and the other one run alternately; if it is a report, only this program runs. Prints the
// ratios and writes them to `report`. Returns exit status 1 if a setting is slower than the other's. Throws
// Error(badRequest, badFile, cancelled).
int compareBenchmarks(const CLI::App& command, const BenchmarkComparison& comparison, ReportFile& report,
                      const std::stop_token& stop);

} // namespace cli
