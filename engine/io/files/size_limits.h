// SPDX-License-Identifier: GPL-3.0-or-later
// Limits on the sizes that a file may claim, checked before memory is allocated.
#pragma once

#include "engine/base/text.h"

#include <cstdint>
#include <string>

namespace engine
{

inline constexpr int mostFrames = 4 << 20; // per scan and kind of frame
inline constexpr int mostAcross = 1 << 20; // bins or rows of a detector
inline constexpr int mostLinks = 20'000;   // examined in an HDF5 file to find a scan
inline constexpr int mostText = 64 << 20;  // bytes
inline constexpr int mostJson = 16 << 20;  // bytes; a session of a thousand settings has one million

std::string wholeNumber(double value); // "2147483648"

// Limit the size of a piece of a file that is decoded as a whole (a chunk, a strip, a tile, a page) to 64 MB, or to
// a hundred times the file's size if that is more. requirePlausible() throws Error(badFile): "WHAT of
// 2147483648 bytes, more than …".
bool isPlausible(double bytes, std::uintmax_t fileBytes);
void requirePlausible(double bytes, std::uintmax_t fileBytes, const Text& what);

} // namespace engine
