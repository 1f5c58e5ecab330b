// SPDX-License-Identifier: GPL-3.0-or-later
// Volumes that wait for reconstruction: scan, settings and output.
#pragma once

#include "engine/documents/recipe.h"
#include "engine/volume/write_volume.h"

#include <string>
#include <vector>

namespace engine
{

struct QueuedVolume {
    std::string scan;  // path
    std::string named; // source of the recipe, for people
    Recipe recipe;
    OpenOptions opened; // the recipe's options, and those of this scan
    Resources resources;
    VolumeOutput output;
    std::string failure = {}; // the error of the last attempt; empty: none, or to be tried again
};

// Opens the scan (a single image as a sinogram) and reconstructs it. If it is stopped, keeps the finished part if the
// output can resume (canResume), and the next call continues with it. Throws Error.
// warn: as in write_volume.h.
WrittenVolume writeVolume(const QueuedVolume& volume, const VolumeProgress& progress, std::stop_token stop,
                          const std::function<void(const Text&)>& warn = {});

// Returns whether an interrupted volume with this output can be continued.
bool canResume(const VolumeOutput& output);

std::string queuedVolumeJson(const QueuedVolume& volume);
// Throws Error(badRequest) that tells what is missing or can't be read.
QueuedVolume queuedVolumeFromJson(const std::string& text);

// Returns the entries of a list of volumes, as older programs stored them; the text itself if it is no list.
std::vector<std::string> queueEntriesIn(const std::string& list);

} // namespace engine
