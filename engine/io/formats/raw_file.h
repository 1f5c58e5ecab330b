// Numbers behind one another, in a file that does not say what they are.
#pragma once

#include "engine/io/frames/frame_rows.h"

#include <filesystem>

namespace engine
{

// Frames as the layout describes them; the file may be longer where `exact` is false.
// Throws Error(badRequest) for an impossible layout, badFile when the file's size does not fit it.
FrameSource rawFrames(const std::filesystem::path& file, const RawLayout& layout, bool exact);

} // namespace engine
