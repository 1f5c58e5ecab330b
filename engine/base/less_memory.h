// SPDX-License-Identifier: GPL-3.0-or-later
// Advice where memory is short.
#pragma once

#include <string>

namespace engine
{

// Returns what reduces the memory of work on this number of slices or rows.
inline std::string lessMemory(int slices)
{
    return slices > 1 ? "take fewer slices at once" : "average detector pixels, or use fewer projections";
}

} // namespace engine
