// SPDX-License-Identifier: GPL-3.0-or-later
// The angles that the user gives of a scan, and those of a file beside it.
#pragma once

#include "engine/io/frames/frame_source.h"

#include <filesystem>
#include <optional>
#include <vector>

namespace engine
{

// Whether the user gives angles, so that those of the file need not be right.
bool anglesGiven(const OpenOptions& options);

// Frames that are numbered: those that are there, and those that are missing between them.
int numberedFrames(const ScanFrames& frames);

// The user's angles, where given, of all frames that are numbered or of those that are there. Throws Error(badRequest)
// when their count differs from the projections'.
std::vector<double> anglesFromOptions(const OpenOptions& options, const ScanFrames& frames);

// angles.txt in one of the folders when it has one angle per projection; a note of the scan says which, or what doesn't
// fit.
std::vector<double> anglesBeside(const std::vector<std::filesystem::path>& folders, const ScanFrames& frames,
                                 Scan& scan);

// Of angles.txt in the first folder that has one; nothing where there is none, or where it can't be read.
std::optional<long long> countOfAnglesBeside(const std::vector<std::filesystem::path>& folders);

} // namespace engine
