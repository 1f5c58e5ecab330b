// SPDX-License-Identifier: GPL-3.0-or-later
// The commands of sinoscope-cli, one file each: their options, and the function that runs the chosen command.
#pragma once

#include <functional>
#include <stop_token>
#include <vector>

namespace engine
{
class Ensemble;
}

namespace CLI
{
class App;
}

namespace cli
{

struct Command {
    CLI::App* options;
    std::function<int(std::stop_token)> run; // returns the exit status; throws engine::Error
};

Command methodsCommand(CLI::App& program);
Command referenceCommand(CLI::App& program);
Command infoCommand(CLI::App& program);
Command axisCommand(CLI::App& program);
Command sinogramCommand(CLI::App& program);
Command phantomCommand(CLI::App& program);
Command reconstructCommand(CLI::App& program, engine::Ensemble* ensemble = nullptr); // `ensemble`: all its ranks run it
Command compareCommand(CLI::App& program);
Command compareSettingsCommand(CLI::App& program);
Command benchmarkCommand(CLI::App& program);
Command tuneCommand(CLI::App& program);
Command modelCommand(CLI::App& program);
Command verifyCommand(CLI::App& program);
Command clusterBenchmarkCommand(CLI::App& program, engine::Ensemble& ensemble); // only for sinoscope-mpi
Command completionCommand(CLI::App& program);

// Adds all commands, in the order of the help.
std::vector<Command> addCommands(CLI::App& program);

// Runs sinoscope-cli. Returns the exit status.
int run(int argc, char** argv);

} // namespace cli
