// SPDX-License-Identifier: GPL-3.0-or-later
// Slices in a file that was looked at and not read yet: what the kinds of files with slices have in common.
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
    std::optional<int> recordedSlice = {}; // of a file by itself, which one it says that it is
};

struct SliceStack {
    std::vector<int> slices;                     // of the scan, in the order of the file
    bool isPlaced = false;                       // the file says which they are
    bool isByName = false;                       // nothing does: the files of a folder, in the order of their names
    std::string guessedAxes;                     // of a volume, where their size decided; else empty
    Text what;                                   // they are in, for messages: "'recon.h5': /exchange/data"
    std::function<SliceFrame(std::size_t)> open; // by their place in the file; throws Error(badFile)
};

SliceStack slicesIn(const SlicesPath& path, std::span<const SliceSize> fitting);   // of any kind of file
SliceStack hdf5Slices(const SlicesPath& path, std::span<const SliceSize> fitting); // throw Error(badFile)
SliceStack tiffSlices(const std::filesystem::path& path);

bool fits(const SliceSize& size, std::span<const SliceSize> fitting);
[[noreturn]] void throwMisfit(const Text& what, const SliceSize& size, std::span<const SliceSize> fitting,
                              bool isVolume);

} // namespace engine
