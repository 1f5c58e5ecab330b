// SPDX-License-Identifier: GPL-3.0-or-later
// Checksums of HDF5's metadata: after they are corrected, HDF5 reads the fuzzer's changes instead of rejecting them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fuzz
{

// Returns Bob Jenkins's hash lookup3 ("hashlittle"), as HDF5 uses it.
std::uint32_t lookup3(const std::uint8_t* bytes, std::size_t count);

// Corrects the checksums of all blocks that have one (version 2 and newer of the formats), with the lengths that the
// blocks specify. A valid file stays unchanged. Source: HDF5 File Format Specification 3.0.
void correctChecksums(std::vector<std::uint8_t>& file);

} // namespace fuzz
