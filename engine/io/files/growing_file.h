// SPDX-License-Identifier: GPL-3.0-or-later
// HDF5 files that are still being written.
#pragma once

#include <filesystem>

namespace engine
{

// Whether another program has it open to write while others read (SWMR).
bool isWrittenBySwmr(const std::filesystem::path& path);

} // namespace engine
