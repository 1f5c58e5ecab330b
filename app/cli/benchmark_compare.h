// SPDX-License-Identifier: GPL-3.0-or-later
// `benchmark --compare`: this build against another one, or against an earlier report.
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
    std::string other; // another sinoscope-cli, or a report of `benchmark --json`
    int pairs = 9;
};

// Runs `benchmark` with the arguments that the command was given, as a process of its own, in turns: this program and
// the other one, or this program alone where the other is a report. Prints the ratios, and writes them to the report.
// Exit status 1 where a setting is slower than the other's. Throws Error(badRequest, badFile, cancelled).
int compareBenchmarks(const CLI::App& command, const BenchmarkComparison& comparison, ReportFile& report,
                      const std::stop_token& stop);

} // namespace cli
