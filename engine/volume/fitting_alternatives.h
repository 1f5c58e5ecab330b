// SPDX-License-Identifier: GPL-3.0-or-later
// What would fit where a volume, or a slice, takes more memory or disk than there is: named settings, with what each
// takes then.
#pragma once

#include "engine/base/text.h"
#include "engine/request/setting.h"
#include "engine/volume/volume_output.h"

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace engine
{

// One of: a reduction of the scan, a region of its slices, fewer slices.
struct Fit {
    Text options;      // that ask for it: "bin 2"
    std::string label; // of a button, "Join 2 × 2 pixels"
    std::string takes; // "2048 slices of 2048 × 2048 pixels: up to 3.1 GB of memory, 34 GB of disk"
    std::optional<Reduction> reduction = {};
    // With it, where slices were to have a size in pixels of the detector: the one that they see the same with, and how
    // many there are, which a cone says in the same breath.
    std::optional<std::pair<int, int>> size = {};
    std::optional<Region> region = {};
    std::optional<RowRange> slices = {};
};

// A volume that is to be made, perhaps of several.
struct WantedVolume {
    Request request; // of its scan nothing is read
    VolumeOutput output;
    std::optional<double> freeBytes; // of the output's disk, where that is known
    unsigned long disk = 0;          // the same number for those that share it
};

// The mildest of each kind that fits into memory (of the request, else half of the machine's) and what is free of the
// disks. Several are made one after the other, and all are kept: what would do is one choice for all of them.
std::vector<Fit> fitsFor(std::span<const WantedVolume> wanted);

// Why a pass of a request's slices can't be made without the memory running out, as it goes on after a colon; nothing:
// it can.
std::optional<std::string> memoryObjection(const Request& request);
// What would do instead, of one slice to look at.
std::vector<Fit> fitsForSlices(const Request& request);

// " These would fit: bin 2 (…); every 4 (…)." or nothing.
Text fitsText(const std::vector<Fit>& fits);

} // namespace engine
