// SPDX-License-Identifier: GPL-3.0-or-later
// Files that others have written are read by a helper program first, in a process of its own with limits
// (check_program.h): the libraries that read HDF5 and MATLAB files crash, hang or fill the memory where a file is
// damaged or made for it. What was checked is known to the process, as the libraries have one state per process.
#pragma once

#include "engine/io/files/input_file.h"

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace engine
{

// Has the helper do a reading (readings.h), unless it did so since the files were changed, or this process wrote
// the file. Throws what the helper's reading threw; Error(badFile) where the file ends the helper, or there is none;
// cancelled.
void requireChecked(const std::vector<std::string>& reading, const std::stop_token& stop = {});

// Of an open file that a library is about to read: one that no reading has checked as it is now is checked by itself. A
// file that another program has open to write while others read (SWMR) may have grown since. In the helper it notes the
// file. Throws Error(badFile).
void requireChecked(const InputFile& file);

// A file that this process has written, and has just closed.
void noteWritten(const std::filesystem::path& file);

// This process is the helper from now on. `opened` is called for each file when it is first opened.
void beHelper(std::function<void(const std::filesystem::path& file, const FileIdentity& identity)> opened);
bool isHelper();

} // namespace engine
