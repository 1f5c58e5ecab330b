// SPDX-License-Identifier: GPL-3.0-or-later
// What the helper program, which can't open files, asks the program that started it.
#pragma once

#include "engine/io/files/input_file.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace engine
{

class LibraryAccess
{
  public:
    virtual ~LibraryAccess() = default;
    // Returns null if the file isn't there, can't be read, or must not be read.
    virtual std::unique_ptr<InputFile> open(const std::filesystem::path& path) = 0;
    virtual std::vector<std::string> namesIn(const std::filesystem::path& folder) = 0; // of its files and folders
};

} // namespace engine
