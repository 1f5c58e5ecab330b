// SPDX-License-Identifier: GPL-3.0-or-later
// Frames in TIFF files, one file or a folder of them: what the readers of TIFFs share, and darks and flats of any scan.
#pragma once

#include "engine/io/frames/frame_source.h"
#include "engine/io/tiff/tiff_file.h"

#include <filesystem>
#include <string>
#include <vector>

namespace engine
{

struct TiffFrame {
    std::filesystem::path file;
    TiffPage page;
};

// "640 x 512"
std::string sizeText(int width, int height);

// In the order of their names, numbers by their value. Throws Error(badFile) for a folder that can't be read.
std::vector<std::filesystem::path> tiffsIn(const std::filesystem::path& folder);

// Of files in that order, one frame each: those that their numbers lack. Nothing where they aren't numbered evenly: all
// alike but for the last number in their names, which grows by the same step from most of them to the next.
void findMissing(ScanFrames& frames, const std::vector<std::filesystem::path>& files);

// Every page of every file. Throws Error(badFile) for damaged files, and pages of different sizes; cancelled.
std::vector<TiffFrame> tiffFramesIn(const std::vector<std::filesystem::path>& files, const std::stop_token& stop);

FrameSource tiffSource(std::vector<TiffFrame> frames);

// Darks or flats that the user names: a TIFF file or a folder of them; nothing for an empty path.
// Throws Error(badFile) when their size differs from the projections' (`like` names those).
FrameSource tiffFrames(const std::filesystem::path& path, int rows, int bins, const std::string& like,
                       const std::stop_token& stop);

} // namespace engine
