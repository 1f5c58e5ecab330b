// SPDX-License-Identifier: GPL-3.0-or-later
// Volumes that wait to be made: of which scan, how, and where to.
#pragma once

#include "engine/documents/recipe.h"
#include "engine/volume/write_volume.h"

#include <string>
#include <vector>

namespace engine
{

struct QueuedVolume {
    std::string scan;  // path
    std::string named; // whence its recipe is, for people
    Recipe recipe;
    OpenOptions opened; // the recipe's ways, and what belongs to this scan
    Resources resources;
    VolumeOutput output;
    std::string failure = {}; // why it couldn't be reconstructed when that was tried; empty: not tried, or to be tried
};

// Opens the scan, a single image as a sinogram, and reconstructs it. What can be is kept when it is stopped, and gone
// on with. Throws Error.
WrittenVolume writeVolume(const QueuedVolume& volume, const VolumeProgress& progress, std::stop_token stop);

// Of a volume that can go on after an interruption.
bool canResume(const VolumeOutput& output);

std::string queuedVolumeJson(const QueuedVolume& volume);
// Throws Error(badRequest) that says what is missing or can't be read.
QueuedVolume queuedVolumeFromJson(const std::string& text);

// The volumes of a list of them, as programs stored it before each had a place of its own; the text itself where it is
// no list.
std::vector<std::string> queueEntriesIn(const std::string& list);

} // namespace engine
