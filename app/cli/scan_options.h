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

// The scan, and the words of engine/io/open/open_fields.h and engine/scan/cone_fields.h. many: gets the paths of one
// scan or more, where the command takes them.
void addScanOptions(CLI::App& command, ScanOptions& options, std::vector<std::string>* many = nullptr);

// --allow-outside alone, for a scan that something else names and says how to read.
void addAllowOutside(CLI::App& command, engine::OpenOptions& open);

// What speaks against how its numbers are taken, with the option that takes them otherwise, as a warning.
void warnOfValues(const engine::Scan& scan);

// "line integrals", "counts (a guess: whole numbers with flat fields)"
std::string valuesText(const engine::Scan& scan);

} // namespace cli
