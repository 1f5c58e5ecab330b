// SPDX-License-Identifier: GPL-3.0-or-later
// A MATLAB file of version 5 as matio reads it soonest, and with all the numbers that it says: matio takes those that
// aren't there as 0, or as its memory is.
#pragma once

#include "engine/io/files/input_file.h"

#include <filesystem>

namespace engine
{

// A copy of the file in memory whose variables aren't compressed: matio inflates a struct twice, by a slower library.
class InflatedMat
{
  public:
    // Checks that all variables have their numbers, in structs and cells, too. What it can't follow it leaves to matio.
    // Of a file without compressed variables only the helper does, which reads it first.
    // Throws Error(badFile).
    // Source: MathWorks, "MAT-File Format", chapter 1, level 5.
    explicit InflatedMat(const InputFile& file);
    ~InflatedMat();
    InflatedMat(const InflatedMat&) = delete;
    InflatedMat& operator=(const InflatedMat&) = delete;

    // What matio is to open: the file itself where nothing in it is compressed, or the system has no memory to copy
    // to. Lasts as long as this.
    const std::filesystem::path& path() const { return m_path; }

  private:
    std::filesystem::path m_path;
    int m_descriptor = -1;
};

} // namespace engine
