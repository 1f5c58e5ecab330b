// SPDX-License-Identifier: GPL-3.0-or-later
// What the names of image files say: which are darks and flats, which are no frames of the scan, and their angles.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

namespace engine
{

// `side`: a dark or a flat; its brightness decides which. `other`: a preview, or a projection taken for alignment.
enum class FrameKind { projection, dark, flat, side, other };

// Returns what the words of each name say. Names are compared without their suffixes; a word stands between signs,
// digits and the ends of the name, as in "tilt_flat_0001". Words that all names have belong to the sample.
std::vector<FrameKind> kindsOf(const std::vector<std::filesystem::path>& names);

// Returns the kind of a folder, or of a file in another folder than the projections': only if it is named for nothing
// else, as other samples may lie there. "Flat_Before", not "white_stone".
FrameKind kindOf(const std::filesystem::path& name);

// Returns whether a name says that its frames were taken before (−1) or after (1) the projections; 0: neither.
int orderOf(const std::filesystem::path& name);

// Returns the angles in degrees that the names have: signed or decimal numbers, all different, in names that are alike
// otherwise, such as "tomo_-90.0.tif". Nothing for other names, also for those that are merely counted.
std::optional<std::vector<double>> anglesInNames(const std::vector<std::filesystem::path>& names);

} // namespace engine
