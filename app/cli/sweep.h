// SPDX-License-Identifier: GPL-3.0-or-later
// `compare-settings --vary`: options varied over lists of values.
#pragma once

#include "engine/io/open/open_scan.h"
#include "engine/request/setting.h"

#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace CLI
{
class App;
}

namespace engine
{
struct Session;
}

namespace cli
{

struct SweepOptions {
    std::vector<std::string> vary, scores;
    std::string best, area, output, csv, page;
    bool zip = false;
    int most = 0;
};

void addSweepOptions(CLI::App& command, SweepOptions& options);

// What the settings of a sweep have in common.
struct SweepBase {
    std::string input;                        // the scan or session, as given
    engine::Request request;                  // with the scan, and the place of one slice or plane
    std::map<std::string, std::string> given; // texts of options on the command line, by id; empty: not given
    engine::OpenOptions opened;               // how the scan was opened
    const engine::Session* session = nullptr; // from which all this comes; null: a scan was given
    std::string against, json;                // options that the command has anyway
    bool overwrite = false;
};

// Runs the sweep, writes its files and prints its table. Returns the exit status. Throws Error, `cancelled` after the
// files have been written.
int sweep(const CLI::App& command, const SweepOptions& options, const SweepBase& base, std::stop_token stop);

} // namespace cli
