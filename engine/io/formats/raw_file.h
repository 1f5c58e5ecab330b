// SPDX-License-Identifier: GPL-3.0-or-later
// Raw files: consecutive numbers without a description.
#pragma once

#include "engine/io/frames/frame_source.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace engine
{

std::vector<std::string> rawSampleTypes();       // "uint8", "int8", …
RawLayout rawLayoutFromText(const std::string&); // parses "720x512x640"; throws Error(badRequest)
std::string shapeOf(const RawLayout& layout);    // in the same form
// Returns the size of the file, header included; nothing if no file can be so large. Throws Error(badRequest) for
// impossible sizes and types.
std::optional<long long> bytesOf(const RawLayout& layout);

// Returns the frames that the layout describes; the file may be longer if `exact` is false.
// Throws Error(badRequest) for an impossible layout, badFile if the file's size does not fit it.
FrameSource rawFrames(const std::filesystem::path& file, const RawLayout& layout, bool exact);

} // namespace engine
