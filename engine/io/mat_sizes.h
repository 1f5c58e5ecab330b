// The sizes that a MATLAB file of version 5 says, held against the file before a library believes them.
#pragma once

#include <filesystem>

namespace engine
{

// Throws Error(badFile) where a variable, or one in it, is said to have more bytes, numbers or fields than there can
// be. Source: MathWorks, "MAT-File Format", chapter 1, level 5.
void requireMatSizes(const std::filesystem::path& file);

} // namespace engine
