// SPDX-License-Identifier: GPL-3.0-or-later
// Table of the conventions of other programs for the position of the rotation axis with parallel rays.
#pragma once

#include <span>
#include <string>

namespace engine
{

struct AxisProgram {
    const char* id; // used in reports, and in --axis ID:VALUE if isShift is false
    const char* label;
    const char* before; // text before the number in what the user writes for the program
    const char* after;
    double offset;      // their number = bins from the centre of bin 0 + offset
    bool isShift;       // their number = middle of the detector − bins from the centre of bin 0
    const char* source; // where this is documented
};

std::span<const AxisProgram> axisPrograms();
const AxisProgram* findAxisProgram(const std::string& id);

// Converts an axis in bins from the centre of bin 0, on a detector with `bins` bins, to the program's number, and
// back.
double axisOf(const AxisProgram& program, double axisBins, int bins);
double axisFrom(const AxisProgram& program, double theirs, int bins);
// Returns the text that the user writes for the program: "center=295.75".
std::string axisTextOf(const AxisProgram& program, double axisBins, int bins);

// Parses "tomopy:296", for programs that count from the left, which needs no knowledge of the detector. Throws
// Error(badRequest) if a known name is not followed by a number; returns false for any other text.
bool axisFromProgramText(const std::string& text, double& axisBins);

} // namespace engine
