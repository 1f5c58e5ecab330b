// SPDX-License-Identifier: GPL-3.0-or-later
// The angles that the user gives, and the angles of a file beside the scan.
#pragma once

#include "engine/io/frames/frame_source.h"

#include <filesystem>
#include <optional>
#include <vector>

namespace engine
{

// Returns whether the user gives angles; the angles of the file need not be right then.
bool anglesGiven(const OpenOptions& options);

// Returns the number of numbered frames: the existing ones and those that are missing between them.
int numberedFrames(const ScanFrames& frames);

// Returns the user's angles, if given: one per numbered frame, or one per existing frame. A note of the scan says which
// unit is assumed for those of a file if they aren't degrees. Throws Error(badRequest) if their count is neither.
std::vector<double> anglesFromOptions(const OpenOptions& options, const ScanFrames& frames, Scan& scan);

// Reads angles.txt in one of the folders if it has one angle per existing or numbered projection; a note of the scan
// says which file is used, or why it is not.
std::vector<double> anglesBeside(const std::vector<std::filesystem::path>& folders, const ScanFrames& frames,
                                 Scan& scan);

// Counts the angles of angles.txt in the first folder that has one; nothing if there is none, or if it can't be read.
std::optional<long long> countOfAnglesBeside(const std::vector<std::filesystem::path>& folders);

} // namespace engine
