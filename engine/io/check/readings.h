// SPDX-License-Identifier: GPL-3.0-or-later
// Requests to the helper program, as lists of texts: the name of a reading, the file, and the parameters that decide
// what is read.
#pragma once

#include "engine/io/files/slices_path.h"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace engine
{

using Reading = std::vector<std::string>;

Reading readingOfSlices(const SlicesPath& path, std::span<const SliceSize> fitting);
Reading readingOfFittingSlices(const std::filesystem::path& path, std::span<const SliceSize> fitting);
Reading readingOfFile(const std::filesystem::path& path); // all of the file; for files that other files refer to

const std::string& readingFile(const Reading& reading);

} // namespace engine
