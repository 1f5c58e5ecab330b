// Volumes that wait to be made: of which scan, how, and where to.
#pragma once

#include "engine/recipe.h"
#include "engine/write_volume.h"

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
};

// Opens the scan and makes it. What can be is kept when it is stopped, and gone on with. Throws Error.
WrittenVolume writeVolume(const QueuedVolume& volume, const VolumeProgress& progress, std::stop_token stop);

// Of a volume that can go on after an interruption.
bool canResume(const VolumeOutput& output);

std::string queueJson(const std::vector<QueuedVolume>& queue);
// Throws Error(badRequest) for what is no queue.
std::vector<QueuedVolume> queueFromJson(const std::string& text);

} // namespace engine
