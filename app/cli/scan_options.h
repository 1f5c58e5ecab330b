// SPDX-License-Identifier: GPL-3.0-or-later
// How a scan on the command line is to be read: angles, darks and flats, layout of raw files, geometry.
#pragma once

#include "engine/io/open/open_scan.h"

#include <string>
#include <vector>

namespace CLI
{
class App;
}

namespace cli
{

struct ScanOptions {
    std::string path;
    engine::OpenOptions open;
};

// Adds the scan's path and the options of engine/io/open/open_fields.h and engine/scan/cone_fields.h. many: receives
// one or more paths, for commands that accept several scans.
void addScanOptions(CLI::App& command, ScanOptions& options, std::vector<std::string>* many = nullptr);

// Adds only --allow-outside, for a scan whose path and options come from elsewhere, such as a session.
void addAllowOutside(CLI::App& command, engine::OpenOptions& open);

// Prints a warning where the interpretation of the scan's values is doubtful, with the option that changes it.
void warnOfValues(const engine::Scan& scan);

// Returns the interpretation of the values, such as "line integrals" or "counts (a guess: whole numbers with flat
// fields)".
std::string valuesText(const engine::Scan& scan);

} // namespace cli
