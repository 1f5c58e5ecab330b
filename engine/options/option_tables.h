// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of the table of options.
#pragma once

#include "engine/base/number_text.h"
#include "engine/options/options.h"

#include <string>
#include <vector>

namespace engine
{

std::vector<Option> methodOptions();      // of back-projection
std::vector<Option> preparationOptions(); // of the steps, and their order
std::vector<Option> filterOptions();      // of the filter and the axis
std::vector<Option> placeOptions();       // which part of the volume is reconstructed
std::vector<Option> resourceOptions();    // devices, threads and memory

// Titles of groups of options.
inline constexpr const char* methodGroup = "Method";
inline constexpr const char* filterGroup = "Filter and axis";

std::optional<Text> idleFilterOn(const Request& request); // of "filter-on"

inline int wholeOf(const std::string& text)
{
    return static_cast<int>(integerFromText(text, "value"));
}

} // namespace engine
