// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/frames/side_frames.h"

#include "engine/base/error.h"
#include "engine/io/frames/reduced_frames.h"
#include "engine/scan/reduction.h"
#include "engine/scan/some_projections.h"

#include <algorithm>

namespace engine
{

namespace
{

std::vector<int> numbersIn(const std::vector<RowRange>& ranges, const ScanFrames& frames, const char* option)
{
    const int count = frames.projections.frames;
    std::vector<int> numbers;
    for (const RowRange& range : ranges)
        for (int k = range.first; k < range.first + range.count; ++k) {
            require(k < count, optionName(option) + ": frame " + std::to_string(k) + " doesn't exist; '" + frames.path +
                                   "' has frames 0 to " + std::to_string(count - 1));
            numbers.push_back(k);
        }
    return numbers;
}

// Returns the numbers of the missing frames, counted without the darks and flats.
std::vector<int> missingWithout(const ScanFrames& frames, const std::vector<int>& sides)
{
    std::vector<int> missing;
    for (std::size_t k = 0; k < frames.missing.size(); ++k) {
        const int there = frames.missing[k] - static_cast<int>(k); // existing frames before it
        const auto before = std::ranges::lower_bound(sides, there) - sides.begin();
        missing.push_back(frames.missing[k] - static_cast<int>(before));
    }
    return missing;
}

} // namespace

std::vector<int> separateSides(ScanFrames& frames, const OpenOptions& options)
{
    if (options.darkFrames.empty() && options.flatFrames.empty())
        return {};
    const std::string none = "; give only one of them";
    require(options.darkFrames.empty() || options.darks.empty(),
            optionName("darks") + " and " + optionName("dark-frames") + " are both given" + none);
    require(options.flatFrames.empty() || options.flats.empty(),
            optionName("flats") + " and " + optionName("flat-frames") + " are both given" + none);
    const std::vector<int> darks = numbersIn(options.darkFrames, frames, "dark-frames"),
                           flats = numbersIn(options.flatFrames, frames, "flat-frames");
    std::vector<int> sides = darks;
    sides.insert(sides.end(), flats.begin(), flats.end());
    std::ranges::sort(sides);
    const auto twice = std::ranges::adjacent_find(sides);
    require(twice == sides.end(),
            "frame " + (twice == sides.end() ? "" : std::to_string(*twice)) + " is both a dark and a flat field");
    std::vector<int> kept;
    for (int k = 0; k < frames.projections.frames; ++k)
        if (!std::ranges::binary_search(sides, k))
            kept.push_back(k);
    require(!kept.empty(), fileText(frames.path) + " has no projections besides the darks and flats");
    frames.missing = missingWithout(frames, sides);
    const FrameSource all = std::move(frames.projections);
    frames.projections = someFrames(all, kept, frames.rows, frames.bins);
    if (!darks.empty())
        frames.darks = someFrames(all, darks, frames.rows, frames.bins);
    if (!flats.empty()) {
        frames.flats = someFrames(all, flats, frames.rows, frames.bins);
        frames.flats.places = placesAmong({flats.begin(), flats.end()}, kept);
    }
    return kept;
}

} // namespace engine
