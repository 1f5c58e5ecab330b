// SPDX-License-Identifier: GPL-3.0-or-later
// Frames that are stored uncompressed in files, with consecutive bins in a row and consecutive rows in a frame. Any
// number of threads read them simultaneously, directly from the files.
#pragma once

#include "engine/io/frames/frame_source.h"
#include "engine/scan/samples.h"

#include <filesystem>
#include <vector>

namespace engine
{

struct StoredFrames {
    struct Place {
        int file = 0;         // index into `files`
        long long offset = 0; // of the frame's first row, in bytes
    };
    SampleType type;
    bool bigEndian = false;
    int bins = 0;
    std::vector<std::filesystem::path> files;
    std::vector<Place> frames;
};

// Throws Error(badFile), on construction and on reading, for files that can't be opened, have been replaced since or
// end too early: the message names file and frame.
FrameSource storedFrames(StoredFrames stored);

} // namespace engine
