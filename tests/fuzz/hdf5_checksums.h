// SPDX-License-Identifier: GPL-3.0-or-later
// The checksums of HDF5's metadata: a fuzzer's bytes get past them when they are right again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fuzz
{

// Bob Jenkins's lookup3 ("hashlittle"), as HDF5 has it.
std::uint32_t lookup3(const std::uint8_t* bytes, std::size_t count);

// Of all blocks that have one (version 2 and newer of the formats), as long as they say. A file that is sound stays as
// it is. Source: HDF5 File Format Specification 3.0.
void correctChecksums(std::vector<std::uint8_t>& file);

} // namespace fuzz
