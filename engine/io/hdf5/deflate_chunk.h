// SPDX-License-Identifier: GPL-3.0-or-later
// Compression of HDF5 chunks on any thread: bytes grouped by significance (shuffle), then deflated.
#pragma once

#include "engine/io/files/output_format.h"

#include <cstddef>
#include <span>
#include <vector>

namespace engine
{

// Returns how many rows of a slice make a chunk of about a megabyte.
int rowsPerChunk(int height, int width, const OutputFormat& format);

// Compresses `values` as a chunk of `capacity` values, whose remaining values are 0. Returns what store() returns.
// Throws std::bad_alloc.
long long deflateChunk(const OutputFormat& format, std::span<const float> values, std::size_t capacity,
                       std::vector<std::byte>& deflated);

} // namespace engine
