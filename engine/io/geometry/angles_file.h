// SPDX-License-Identifier: GPL-3.0-or-later
// Angles and shifts in text files.
#pragma once

#include "engine/io/frames/open_options.h"

#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

namespace engine
{

// Of the wanted column and lines; empty lines and those that begin with # are left out. Columns stand apart by blanks,
// tabs, commas or semicolons.
struct AnglesInFile {
    std::vector<double> anglesRad;
    std::vector<int> lines; // that they stand in, from 1
};
// Throws Error(badFile) with the line's number.
AnglesInFile anglesIn(const std::filesystem::path& path, const AngleColumn& column = {});
// Which lines of more angles than projections may be theirs, first and last: the only run of so many that are evenly
// spread, as of a scan whose flats and darks have angles, too; of several the only half turn or full one. Nothing where
// that is none, or more than one.
std::optional<std::pair<int, int>> linesThatFit(const AnglesInFile& found, int projections);
std::vector<double> readAngles(const std::filesystem::path& path, const AngleColumn& column = {});

// How far each projection lies from where it should, towards higher bins and higher rows: one or two columns, of which
// the second may be missing; lines as those of angles.
struct ShiftsInFile {
    std::vector<double> bins, rows; // rows: empty where there is one column, or where they are all 0
};
// Throws Error(badFile) with the line's number.
ShiftsInFile readShifts(const std::filesystem::path& path);

} // namespace engine
