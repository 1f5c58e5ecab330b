// SPDX-License-Identifier: GPL-3.0-or-later
// A comparison as a file (*.sinoscope): what is opened, what is compared with what, and where one looks. JSON, UTF-8.
#pragma once

#include "engine/compare/compare_settings.h"
#include "engine/compare/marks.h"
#include "engine/io/open/open_scan.h"
#include "engine/scan/phantom.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace engine
{

struct Session {
    static constexpr int version = 2; // of what is written; what is newer is refused. 1 had one line and one area

    std::filesystem::path scan; // a file or folder, or empty:
    std::optional<Simulation> simulation;
    std::string label; // of the simulated scan
    OpenOptions opened;
    int slice = 0;
    SettingList list;
    Resources resources; // device, memory; threads are the machine's
    Marks marks = Marks::standard();
    std::string window; // JSON of what the window alone knows, "" where there is nothing; kept as it is
};

// `file`: where it will stand; a scan, a reference and what the scan is opened with, beside or below it, are named from
// there, so that they can move together.
std::string sessionJson(const Session& session, const std::filesystem::path& file);
// Throws Error(badFile) that names the file and what is wrong with it: no session, damaged, of a newer program.
Session readSession(const std::filesystem::path& file);
// Under a temporary name, renamed when complete. Throws Error(output): it exists and overwrite is false, or can't be
// written.
void writeSession(const Session& session, const std::filesystem::path& file, bool overwrite);

// The scan opened, or simulated. Throws Error.
std::shared_ptr<const Scan> openScan(const Session& session, std::stop_token stop = {});

// What its settings came to: "settings", a list of each one's options, method, device, speed and figures, with those of
// every area, the edge width of every line, the Fourier ring correlation, and how well the image agrees with its
// projections where that was measured; against what, inside which area, in which unit.
std::string comparedSettingsJson(const Session& session, const Scan& scan, const std::vector<ComparedSetting>& all);
std::string areaText(const Session& session); // of the area that figures count: "disc 0.9"

} // namespace engine
