// SPDX-License-Identifier: GPL-3.0-or-later
// One TIFF file, read some rows of a page at a time and written whole; libtiff stays inside the .cpp.
#pragma once

#include "engine/io/files/output_format.h"
#include "engine/scan/samples.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace engine
{

bool isTiff(const std::filesystem::path& file); // by its first bytes

struct TiffPage {
    int width = 0, height = 0;
    std::string sampleType;     // "uint16", "float32", …
    std::uint64_t position = 0; // in the file: finds the page without reading the earlier ones
    std::int64_t plainAt = -1;  // offset of its rows, if uncompressed and consecutive; else −1
    bool bigEndian = false;
    int rowsTogether = 1;     // rows per strip or tile of a compressed page
    bool whiteIsZero = false; // photometric interpretation: 0 is the brightest number
    bool operator==(const TiffPage&) const = default;
};

// An open TIFF file. Not to be shared between threads: each opens its own.
class TiffFile
{
  public:
    // Throws Error(badFile): missing, damaged, or not grey numbers of 8, 16, 32 or 64 bits.
    explicit TiffFile(const std::filesystem::path& path);
    ~TiffFile();
    TiffFile(const TiffFile&) = delete;
    TiffFile& operator=(const TiffFile&) = delete;

    TiffPage page() const; // the current page: the first one after opening
    // Returns all pages in order, at least one, without reduced copies. Throws Error (badFile, cancelled).
    std::vector<TiffPage> pages(const std::stop_token& stop = {});
    void select(const TiffPage& page);
    // Reads rows [first, first + count) of the current page into out[row][column]. Throws Error(badFile).
    void readRows(int first, int count, float* out);
    void readRows(int first, int count, const SampleType& kept, char* out); // the page's keptType, or float32

    // Returns how many frames ImageJ has stored consecutively under a single page (stacks beyond 4 GB); else 0.
    int imageJFrames() const;
    std::uint64_t dataPosition() const; // of the first byte of the current page's first strip
    bool bigEndian() const;
    std::string description() const; // of the current page; may be empty

  private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

// Writes one image into an existing empty file. values: as they are to be stored; unit: for the description; facts:
// further properties, for the tags. Throws Error(output), naming `shownAs`.
void writeTiff(const std::filesystem::path& path, const std::filesystem::path& shownAs, int width, int height,
               const OutputFormat& format, const std::string& unit, const SliceFacts& facts, const std::byte* values);

} // namespace engine
