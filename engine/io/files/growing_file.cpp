// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/files/growing_file.h"

#include "engine/base/error.h"

#include <array>

namespace engine
{

// The flag exists since version 3 of the superblock. Source: HDF5 File Format Specification 3.0, II.A.
bool isWrittenBySwmr(const InputFile& file)
{
    constexpr std::size_t version = 8, flags = 11;
    std::array<char, flags + 1> begin{};
    return file.read(begin.data(), begin.size(), 0) == begin.size() && begin[version] >= 3 && (begin[flags] & 4) != 0;
}

bool isWrittenBySwmr(const std::filesystem::path& path)
{
    try {
        return isWrittenBySwmr(InputFile(path));
    } catch (const Error&) { // reported by whoever opens the file
        return false;
    }
}

} // namespace engine
