// SPDX-License-Identifier: GPL-3.0-or-later
// Arrays of numbers in MATLAB files of version 5.
#pragma once

#include "engine/io/check/mat_contents.h"

#include <filesystem>
#include <string>
#include <vector>

namespace engine
{

bool isMat5(const std::filesystem::path& file); // by its first bytes

// An array of real numbers with two or three dimensions.
struct MatArray {
    std::string name; // of the variable
    std::size_t rows = 0, columns = 0, slices = 1;
    const MatVariable* variable = nullptr;
};

// Returns the variables that can be images or volumes, without those in structs: more than one row and column.
std::vector<MatArray> matArraysIn(MatContents& contents);

} // namespace engine
