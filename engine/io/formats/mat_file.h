// SPDX-License-Identifier: GPL-3.0-or-later
// Arrays of numbers in MATLAB files of version 5.
#pragma once

#include "engine/io/check/mat_contents.h"

#include <filesystem>
#include <vector>

namespace engine
{

bool isMat5(const std::filesystem::path& file); // by its first bytes

// Returns the variables that can be images or volumes, without those in structs: whole arrays of numbers with two or
// three dimensions, and more than one row and column.
std::vector<MatVariable> matArraysIn(const MatContents& contents);

} // namespace engine
