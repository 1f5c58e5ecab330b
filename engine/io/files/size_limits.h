// SPDX-License-Identifier: GPL-3.0-or-later
// How much a file may say that it holds, before memory is taken for it.
#pragma once

#include "engine/base/text.h"

#include <cstdint>
#include <string>

namespace engine
{

inline constexpr int mostFrames = 4 << 20; // of a scan, of each kind
inline constexpr int mostAcross = 1 << 20; // bins or rows of a detector
inline constexpr int mostLinks = 20'000;   // looked at in an HDF5 file to find a scan
inline constexpr int mostText = 64 << 20;  // bytes
inline constexpr int mostJson = 16 << 20;  // bytes; a session of a thousand settings has one million

std::string wholeNumber(double value); // "2147483648"

// Of a piece of a file that is undone at once (a chunk, a strip, a tile, a page): up to 64 MB whatever the file,
// beyond that a hundred times the file. Throws Error(badFile): "WHAT of 2147483648 bytes, more than …".
bool isPlausible(double bytes, std::uintmax_t fileBytes);
void requirePlausible(double bytes, std::uintmax_t fileBytes, const Text& what);

} // namespace engine
