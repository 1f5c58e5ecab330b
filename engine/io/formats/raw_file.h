// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers behind one another, in a file that does not say what they are.
#pragma once

#include "engine/io/frames/frame_source.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace engine
{

std::vector<std::string> rawSampleTypes();       // "uint8", "int8", …
RawLayout rawLayoutFromText(const std::string&); // "720x512x640": its shape; throws Error(badRequest)
std::string shapeOf(const RawLayout& layout);    // the same
// With its header; nothing: more than any file has. Throws Error(badRequest) for impossible sizes and types.
std::optional<long long> bytesOf(const RawLayout& layout);

// Frames as the layout describes them; the file may be longer where `exact` is false.
// Throws Error(badRequest) for an impossible layout, badFile when the file's size does not fit it.
FrameSource rawFrames(const std::filesystem::path& file, const RawLayout& layout, bool exact);

} // namespace engine
