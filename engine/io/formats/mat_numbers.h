// Whether a MATLAB file of version 5 has all the numbers that it says: matio takes those that aren't there as 0, or as
// its memory is.
#pragma once

#include <filesystem>

namespace engine
{

// Of all variables, and of those in structs and cells. What it can't follow it leaves to matio. Throws Error(badFile).
// Source: MathWorks, "MAT-File Format", chapter 1, level 5.
void requireMatNumbers(const std::filesystem::path& file);

} // namespace engine
