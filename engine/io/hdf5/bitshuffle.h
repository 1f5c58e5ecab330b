// SPDX-License-Identifier: GPL-3.0-or-later
// The transposition of bits that the HDF5 filter bitshuffle (32008) does before it compresses.
#pragma once

#include <cstddef>

namespace engine
{

// Reverses the transposition for a block of elements of `bytes` bytes each; their count is a multiple of 8. `shuffled`
// holds the lowest bits of the first bytes of all elements, one bit each, the first element's lowest, then their second
// bits, and so on. Source: Masui et al., Astronomy and Computing 12 (2015) 181.
void unshuffleBits(const char* shuffled, char* elements, std::size_t count, std::size_t bytes);

} // namespace engine
