// What would fit where a volume, or a slice, takes more memory or disk than there is: named settings, with what each
// takes then.
#pragma once

#include "engine/setting.h"
#include "engine/volume_output.h"

#include <optional>
#include <string>
#include <vector>

namespace engine
{

// One of: a reduction of the scan, a region of its slices, fewer slices.
struct Fit {
    std::string option; // of the command line, "--bin 2"
    std::string label;  // of a button, "Join 2 × 2 pixels"
    std::string takes;  // "2048 slices of 2048 × 2048 pixels: up to 3.1 GB of memory, 34 GB of disk"
    std::optional<Reduction> reduction = {};
    std::optional<Region> region = {};
    std::optional<RowRange> slices = {};
};

// The mildest of each kind that fits into memory (of the request, else half of the machine's) and `freeBytes` of the
// disk, where that is known. Nothing is read.
std::vector<Fit> fitsFor(const Request& request, const VolumeOutput& output, std::optional<double> freeBytes);

// Why a pass of a request's slices can't be made without the memory running out, as it goes on after a colon; nothing:
// it can.
std::optional<std::string> memoryObjection(const Request& request);
// What would do instead, of one slice to look at.
std::vector<Fit> fitsForSlices(const Request& request);

// " These would fit: --bin 2 (…), --every 4 (…)." or nothing.
std::string fitsText(const std::vector<Fit>& fits);

} // namespace engine
