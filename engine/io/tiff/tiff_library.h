// SPDX-License-Identifier: GPL-3.0-or-later
// Common parts of reading and writing TIFF: owned handles, and libtiff's messages.
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

// Options that make libtiff report to the message, which must outlive the handle, and not to stderr.
using TiffOptions = std::unique_ptr<TIFFOpenOptions, decltype(&TIFFOpenOptionsFree)>;
TiffOptions optionsWith(std::string& message);

// Opens a file for reading; null if it is no TIFF. The file is not mapped to memory: if it were truncated meanwhile,
// reading would raise a signal. Throws Error(badFile) if it isn't a regular file.
OwnedTiff openTiff(const std::filesystem::path& path, std::string& message, std::uintmax_t& fileBytes);

} // namespace engine
