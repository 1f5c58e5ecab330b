// SPDX-License-Identifier: GPL-3.0-or-later
// Slices in a file that was examined but not read: what all types of files with slices have in common.
#pragma once

#include "engine/base/text.h"
#include "engine/io/frames/frame_source.h"
#include "engine/io/slices/stored_slices.h"

#include <functional>
#include <vector>

namespace engine
{

struct SliceFrame {
    FrameSource source; // one frame
    int width = 0, height = 0;
    double scale = 1, offset = 0; // value = stored · scale + offset
    std::string unit;
    PixelSize pixel = {};
    std::optional<int> recordedSlice = {}; // for a single file: the slice that it claims to be
    std::string recordedPlane = {};        // or the plane, as text
};

struct SliceStack {
    std::vector<int> slices;                     // their numbers in the scan, in the order of the file
    bool isPlaced = false;                       // the file specifies these numbers
    bool isByName = false;                       // nothing specifies them: files of a folder, ordered by name
    std::string guessedAxes;                     // the axes of a volume, if guessed from its size; else empty
    Text what;                                   // the file and data set, for messages: "'recon.h5': /exchange/data"
    std::function<SliceFrame(std::size_t)> open; // by the position in the file; throws Error(badFile)
};

SliceStack slicesIn(const SlicesPath& path, std::span<const SliceSize> fitting);   // for any type of file
SliceStack hdf5Slices(const SlicesPath& path, std::span<const SliceSize> fitting); // these throw Error(badFile)
SliceStack matSlices(const SlicesPath& path, std::span<const SliceSize> fitting);
SliceStack tiffSlices(const std::filesystem::path& path);

// Return the data sets that fit, for datasetsThatFit().
std::vector<std::string> hdf5SetsThatFit(const std::filesystem::path& file, std::span<const SliceSize> fitting);
std::vector<std::string> matSetsThatFit(const std::filesystem::path& file, std::span<const SliceSize> fitting);

bool fits(const SliceSize& size, std::span<const SliceSize> fitting);
[[noreturn]] void throwMisfit(const Text& what, const SliceSize& size, std::span<const SliceSize> fitting,
                              bool isVolume);

} // namespace engine
