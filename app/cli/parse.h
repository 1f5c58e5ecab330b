// SPDX-License-Identifier: GPL-3.0-or-later
// From the words of the command line to options, with messages that say what would have been right.
#pragma once

#include <optional>
#include <string>

namespace CLI
{
class App;
}

namespace cli
{

// Name, version, help of the program as a whole; commands are added afterwards. statusNote: of an interruption's.
void describe(CLI::App& program, const std::string& name, const std::string& examples,
              const std::string& statusNote = {});

// Nothing when a command is to be run; else the exit status: 0 after --help or --version (on standard
// output), 2 for a mistake (message on standard error).
std::optional<int> parse(CLI::App& program, int argc, char** argv);

} // namespace cli
