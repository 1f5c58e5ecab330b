// SPDX-License-Identifier: GPL-3.0-or-later
// MATLAB files of version 5, decompressed for matio, and checked to have all the numbers that they claim: matio reads
// missing numbers as 0, or as uninitialised memory.
#pragma once

#include "engine/io/files/input_file.h"

#include <filesystem>

namespace engine
{

// A copy of a MATLAB file in memory whose variables aren't compressed: matio would decompress a struct twice, with a
// slower library.
class InflatedMat
{
  public:
    // Checks that all variables have all their numbers, also in structs and cells. What can't be parsed is left to
    // matio.
    // Throws Error(badFile).
    // Source: MathWorks, "MAT-File Format", chapter 1, level 5.
    explicit InflatedMat(const InputFile& file);
    ~InflatedMat();
    InflatedMat(const InflatedMat&) = delete;
    InflatedMat& operator=(const InflatedMat&) = delete;

    // Returns a path in /proc/self/fd of the file that matio is to open: of the original if nothing in it is compressed,
    // or if there is no memory for a copy. Valid as long as this object and `file`.
    const std::filesystem::path& path() const { return m_path; }

  private:
    std::filesystem::path m_path;
    int m_descriptor = -1;
};

} // namespace engine
