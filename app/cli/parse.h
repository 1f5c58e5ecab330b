// SPDX-License-Identifier: GPL-3.0-or-later
// Parses the command line into options, with messages that suggest the correct form.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace CLI
{
class App;
class Option;
} // namespace CLI

namespace cli
{

// Sets name, version and help of the whole program; commands are added afterwards. statusNote: appended to the help
// text about the exit status after an interruption.
void describe(CLI::App& program, const std::string& name, const std::string& examples,
              const std::string& statusNote = {});

// Returns nothing when a command is to be run; otherwise the exit status: 0 after --help, --man or --version (on
// standard output), 2 for a mistake (message on standard error).
std::optional<int> parse(CLI::App& program, int argc, char** argv);

// Prints an error as JSON on standard output if the report goes there (--json -) and nothing else does.
void printErrorAsJson(const std::string& message, int status, int argc, char** argv);

// Returns the name of a command and the arguments that were given to it, without some of its options. An option with
// several values is repeated, or has a list if it accepts one.
std::vector<std::string> argumentsOf(const CLI::App& command, const std::set<std::string>& without);

// "-o" and "--output"; none of a positional.
std::vector<std::string> namesOf(const CLI::Option& option);

} // namespace cli
