// SPDX-License-Identifier: GPL-3.0-or-later
// A check of untrusted files: a helper program reads them first, in a separate process with limits (check_program.h),
// because the libraries for HDF5 and MATLAB files crash, hang or fill the memory on files that are damaged or
// malicious. The results are kept in one table for the whole process, as each of these libraries has
// one state for the whole process.
#pragma once

#include "engine/io/files/input_file.h"

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace engine
{

// Has the helper do a reading (readings.h), unless it has done so since the files last changed, or this process wrote
// the file. Throws the error of the helper's reading; Error(badFile) if the file makes the helper crash or exceed its
// limits, or if the helper is missing; cancelled.
void requireChecked(const std::vector<std::string>& reading, const std::stop_token& stop = {});

// Checks an open file that a library is about to read: if no reading has checked the file in its present state, the
// helper reads this file alone. A file that another program is writing while others read it (SWMR) may have grown
// since its check. In the helper itself, only records the file. Throws Error(badFile).
void requireChecked(const InputFile& file);

// Declares this process to be the helper. `opened` is called for each file when it is first opened.
void beHelper(std::function<void(const std::filesystem::path& file, const FileIdentity& identity)> opened);
bool isHelper();

} // namespace engine
