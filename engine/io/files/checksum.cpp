// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/files/checksum.h"

#include "engine/io/files/input_file.h"

#include <libdeflate.h>

#include <algorithm>
#include <vector>

namespace engine
{

std::optional<std::uint32_t> checksumOf(const FilePart& part)
{
    constexpr long long blockBytes = 1 << 20;
    const InputFile file(part.file);
    const long long bytes = part.bytes.value_or(static_cast<long long>(file.bytes()) - part.offset);
    if (bytes < 0)
        return {};
    std::vector<char> block(static_cast<std::size_t>(std::min(bytes, blockBytes)));
    std::uint32_t sum = 0;
    for (long long done = 0; done < bytes;) {
        const auto wanted = static_cast<std::size_t>(std::min(bytes - done, blockBytes));
        if (file.read(block.data(), wanted, static_cast<std::uintmax_t>(part.offset + done)) != wanted)
            return {};
        sum = libdeflate_crc32(sum, block.data(), wanted);
        done += static_cast<long long>(wanted);
    }
    return sum;
}

std::uint32_t checksumOf(std::span<const std::byte> bytes)
{
    return libdeflate_crc32(0, bytes.data(), bytes.size());
}

} // namespace engine
