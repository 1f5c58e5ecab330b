// SPDX-License-Identifier: GPL-3.0-or-later
// Checksums of parts of files: they detect damage, not deliberate changes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>

namespace engine
{

struct FilePart {
    std::filesystem::path file;
    long long offset = 0;
    std::optional<long long> bytes = {}; // to the end of the file if not given
};

// Computes the CRC-32 of ISO 3309, as in gzip; nothing if the file is too short. Throws Error(badFile).
std::optional<std::uint32_t> checksumOf(const FilePart& part);
std::uint32_t checksumOf(std::span<const std::byte> bytes);

} // namespace engine
