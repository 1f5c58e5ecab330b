// SPDX-License-Identifier: GPL-3.0-or-later
// HDF5 files that are still being written.
#pragma once

#include "engine/io/files/input_file.h"

namespace engine
{

// Returns whether another program is writing the file while others may read it (SWMR).
bool isWrittenBySwmr(const InputFile& file);
bool isWrittenBySwmr(const std::filesystem::path& path);

} // namespace engine
