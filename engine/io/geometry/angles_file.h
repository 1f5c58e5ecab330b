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

// Angles of the chosen column and lines. Empty lines and lines that begin with # are ignored. Columns are separated
// by blanks, tabs, commas or semicolons.
struct AnglesInFile {
    std::vector<double> anglesRad;
    std::vector<int> lines; // the lines that the angles are in, from 1
};
// Reads the angles. Throws Error(badFile) with the line's number.
AnglesInFile anglesIn(const std::filesystem::path& path, const AngleColumn& column = {});
// If a file has more angles than projections, because it also has those of flats and darks, finds the first and last
// line of the projections' angles: the only run of `projections` evenly spaced angles, or, of several such runs, the
// only one that covers half a turn or a full turn. Nothing if there is no such run or more than one.
std::optional<std::pair<int, int>> linesThatFit(const AnglesInFile& found, int projections);
std::vector<double> readAngles(const std::filesystem::path& path, const AngleColumn& column = {});

// The distance of each projection from its correct position, towards higher bins and higher rows. The file has a
// column of bins and optionally one of rows; comments and separators as in files of angles.
struct ShiftsInFile {
    std::vector<double> bins, rows; // rows: empty without a second column, or if all are 0
};
// Reads the shifts. Throws Error(badFile) with the line's number.
ShiftsInFile readShifts(const std::filesystem::path& path);

} // namespace engine
