// SPDX-License-Identifier: GPL-3.0-or-later
// THE table of how other programs say where the rotation axis of parallel rays is.
#pragma once

#include <span>
#include <string>

namespace engine
{

struct AxisProgram {
    const char* id; // as reports name it, and --axis ID:VALUE where isShift is false
    const char* label;
    const char* before; // of what the user writes there, the number between
    const char* after;
    double offset;      // theirs = bins from the centre of bin 0 + offset
    bool isShift;       // theirs = middle of the detector − bins from the centre of bin 0 instead
    const char* source; // where it says so
};

std::span<const AxisProgram> axisPrograms();
const AxisProgram* findAxisProgram(const std::string& id);

// The program's number of an axis in bins from the centre of bin 0, of a detector with so many bins; and back.
double axisOf(const AxisProgram& program, double axisBins, int bins);
double axisFrom(const AxisProgram& program, double theirs, int bins);
// What the user writes there: "center=295.75".
std::string axisTextOf(const AxisProgram& program, double axisBins, int bins);

// "tomopy:296": where the program counts from the left, so that no detector needs to be known. Throws
// Error(badRequest) for what isn't a number after a known name; false for any other text.
bool axisFromProgramText(const std::string& text, double& axisBins);

} // namespace engine
