// SPDX-License-Identifier: GPL-3.0-or-later
// What reading and writing TIFF share: owned handles, and libtiff's messages.
#pragma once

#include <tiffio.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

namespace engine
{

struct CloseTiff {
    void operator()(TIFF* tiff) const { TIFFClose(tiff); }
};
using OwnedTiff = std::unique_ptr<TIFF, CloseTiff>;

// libtiff reports to the message, which outlives the handle, and not to stderr.
using TiffOptions = std::unique_ptr<TIFFOpenOptions, decltype(&TIFFOpenOptionsFree)>;
TiffOptions optionsWith(std::string& message);

// For reading; null where it is no TIFF. Not mapped to memory, where a file that is cut off meanwhile is a signal.
// Throws Error(badFile) for what is no file.
OwnedTiff openTiff(const std::filesystem::path& path, std::string& message, std::uintmax_t& fileBytes);

} // namespace engine
