// SPDX-License-Identifier: GPL-3.0-or-later
// Manual pages (man 7 man-pages), in roff with its macro package "man".
#pragma once

#include <span>
#include <string>
#include <vector>

namespace engine
{

struct ManOption {
    std::string names;   // "-o, --output"
    std::string value;   // form of the value, "PATH"; empty: a flag
    std::string meaning; // without a full stop
};

struct ManCommand {
    std::string name, meaning;
    std::vector<ManOption> options;
    std::string examples; // one command per line
};

struct ManPage {
    std::string program;  // "sinoscope-cli"
    std::string meaning;  // one line, without a full stop
    std::string synopsis; // after the program's name: "[OPTIONS] COMMAND"
    std::vector<ManOption> options;
    std::vector<ManCommand> commands;
    std::string examples;
    std::vector<std::string> seeAlso; // other programs
};

std::string manPageText(const ManPage& page);

struct ExitStatus {
    int status;
    const char* meaning;
};
std::span<const ExitStatus> exitStatuses(); // the same for all programs

} // namespace engine
