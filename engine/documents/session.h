// SPDX-License-Identifier: GPL-3.0-or-later
// Sessions: a comparison as a file (*.sinoscope), with the scan, the compared settings, and what is displayed. JSON,
// UTF-8.
#pragma once

#include "engine/compare/compare_settings.h"
#include "engine/compare/marks.h"
#include "engine/data/plane.h"
#include "engine/io/open/open_scan.h"
#include "engine/simulate/phantom.h"

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace engine
{

// The three planes through a point that the window shows: seen along x, y and z.
struct SessionPlanes {
    struct Angles {
        double turnDeg = 0, tiltDeg = 0; // each −180 to 180, anticlockwise as displayed
        bool operator==(const Angles&) const = default;
    };
    VoxelPoint point{};
    std::array<Angles, 3> angles{};
    std::array<Marks, 3> marks{}; // in pixels of the plane's image; without a mark: the initial ones
    bool operator==(const SessionPlanes&) const = default;
};

struct Session {
    // Version to write; newer files are rejected. Version 1 had one line and one area; until version 2 the angles of
    // planes were clockwise about the direction of rows, columns or slices, and planes had no marks.
    static constexpr int version = 3;

    std::filesystem::path scan; // a file or folder; empty: simulated
    std::optional<Simulation> simulation;
    std::string label; // of the simulated scan
    OpenOptions opened;
    int slice = 0;
    SettingList list;
    Resources resources; // device, memory; threads are the machine's
    Marks marks = Marks::standard();
    std::optional<SessionPlanes> planes; // nothing: scan of one slice, or a session of an older program
    std::string window;                  // JSON of the window's own state, "" if there is none; stored unchanged
};

// file: path of the session. The scan, the reference, and files with which the scan is opened are stored relative to
// its folder if they are in it, so that all can be moved together.
std::string sessionJson(const Session& session, const std::filesystem::path& file);
// Throws Error(badFile) that names the file and the problem: no session, damaged, of a newer program.
Session readSession(const std::filesystem::path& file);
// Writes to a temporary file and renames it. Throws Error(output): the file exists and overwrite is false, or can't
// be written.
void writeSession(const Session& session, const std::filesystem::path& file, bool overwrite);

// Opens or simulates the scan. Throws Error.
std::shared_ptr<const Scan> openScan(const Session& session, std::stop_token stop = {});

// Returns the results of the session's settings, with the scan, the reference, the area and the unit. "settings" has an
// entry for each setting: its options, method, device, axis, times, rates, metrics, Fourier ring correlation and notes;
// the statistics of every area; the edge width of every line; and the consistency with the projections if that was
// measured.
std::string comparedSettingsJson(const Session& session, const Scan& scan, const std::vector<ComparedSetting>& all);
std::string areaText(const Session& session); // of the chosen area: "disc 0.9"

} // namespace engine
