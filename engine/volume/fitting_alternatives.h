// SPDX-License-Identifier: GPL-3.0-or-later
// Alternatives for a volume or slice that needs more memory or disk space than there is: named settings, with what
// each of them would need.
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

// An alternative: a reduction of the scan, a region of its slices, or fewer slices.
struct Fit {
    Text options;      // options that select it: "bin 2"
    std::string label; // of a button, "Average 2 × 2 pixels"
    std::string takes; // "2048 slices of 2048 × 2048 pixels: up to 3.1 GB of memory, 34 GB of disk"
    std::optional<Reduction> reduction = {};
    // With a reduction, if the slice size was given in detector pixels: the slice size that covers the same field of
    // view, and the number of slices (one option of a cone beam sets both).
    std::optional<std::pair<int, int>> size = {};
    std::optional<Region> region = {};
    std::optional<RowRange> slices = {};
};

// A volume to reconstruct, possibly one of several.
struct WantedVolume {
    Request request; // nothing is read from its scan
    VolumeOutput output;
    std::optional<double> freeBytes; // of the output's disk, if known
    unsigned long disk = 0;          // equal for outputs on the same disk
};

// Returns, for each kind of alternative, the mildest one that fits into memory (the request's limit, else half of the
// machine's) and into the free space of the disks. Volumes are reconstructed one after the other and all of them stay
// on disk; an alternative is one choice that applies to all of them.
std::vector<Fit> fitsFor(std::span<const WantedVolume> wanted);

// Returns why one pass of the request's slices does not fit into memory, as text that follows a colon; nothing if it
// fits.
std::optional<std::string> memoryObjection(const Request& request);
// Returns alternatives for displaying a single slice.
std::vector<Fit> fitsForSlices(const Request& request);

// " These would fit: bin 2 (…); every 4 (…).", or an empty text.
Text fitsText(const std::vector<Fit>& fits);

} // namespace engine
