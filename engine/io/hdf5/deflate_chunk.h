// SPDX-License-Identifier: GPL-3.0-or-later
// Chunks of HDF5 made by whoever has time: bytes grouped by significance (shuffle), then deflated.
#pragma once

#include "engine/io/files/output_format.h"

#include <cstddef>
#include <span>
#include <vector>

namespace engine
{

// Of a slice, so that a chunk has about a megabyte.
int rowsPerChunk(int height, int width, const OutputFormat& format);

// `values` of a chunk that has room for `capacity`, the rest of it 0. Returns what store() does. Throws std::bad_alloc.
long long deflateChunk(const OutputFormat& format, std::span<const float> values, std::size_t capacity,
                       std::vector<std::byte>& deflated);

} // namespace engine
