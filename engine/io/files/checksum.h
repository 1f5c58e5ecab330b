// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a stretch of a file is as it was: against damage, not against those who mean it.
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
    std::optional<long long> bytes = {}; // nothing: to the end
};

// CRC-32 of ISO 3309, as in gzip; nothing where the file ends before. Throws Error(badFile).
std::optional<std::uint32_t> checksumOf(const FilePart& part);
std::uint32_t checksumOf(std::span<const std::byte> bytes);

} // namespace engine
