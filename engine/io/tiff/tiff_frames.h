// SPDX-License-Identifier: GPL-3.0-or-later
// Frames in TIFF files, a single file or a folder: shared by the readers of TIFFs and by darks and flats of any scan.
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

// Lists the TIFFs of a folder, ordered by name with numbers compared by value. Throws Error(badFile) for a folder
// that can't be read.
std::vector<std::filesystem::path> tiffsIn(const std::filesystem::path& folder);

// Finds the numbers that are missing among the numbers in the names of these files. The files are in the order of the
// frames and have one frame each. Does nothing unless the files are numbered evenly: their names are alike but for the
// last number, which grows by the same step between most of them.
// damaged: number of the files without a frame.
void findMissing(ScanFrames& frames, const std::vector<std::filesystem::path>& files, int damaged = 0);

// A file that can't be read, by its number among others.
struct DamagedFile {
    int number = 0;
    Text error;
};

// Returns every page of every file. Throws Error(badFile) for damaged files and for pages of different sizes;
// cancelled. With `damaged`, a few damaged files are left out; their numbers and errors are added to it.
std::vector<TiffFrame> tiffFramesIn(const std::vector<std::filesystem::path>& files, const std::stop_token& stop,
                                    std::vector<DamagedFile>* damaged = nullptr);

FrameSource tiffSource(std::vector<TiffFrame> frames);

// Reads the darks or flats that the user names: a TIFF file or a folder of them; none for an empty path.
// Throws Error(badFile) if their size differs from the projections' (`like` names those).
FrameSource tiffFrames(const std::filesystem::path& path, int rows, int bins, const std::string& like,
                       const std::stop_token& stop);

} // namespace engine
