// SPDX-License-Identifier: GPL-3.0-or-later
// Frames whose numbers stand in files as they are: uncompressed, the bins of a row and the rows of a frame one behind
// the other. Any number of threads read them at once, each from the file itself.
#pragma once

#include "engine/io/frames/frame_source.h"
#include "engine/scan/samples.h"

#include <filesystem>
#include <vector>

namespace engine
{

struct StoredFrames {
    struct Place {
        int file = 0;         // of `files`
        long long offset = 0; // of the frame's first row, in bytes
    };
    SampleType type;
    bool bigEndian = false;
    int bins = 0;
    std::vector<std::filesystem::path> files;
    std::vector<Place> frames;
};

// Throws Error(badFile), when it is made and when it is read, for files that can't be opened, were replaced since or
// end too early: the message names file and frame.
FrameSource storedFrames(StoredFrames stored);

} // namespace engine
