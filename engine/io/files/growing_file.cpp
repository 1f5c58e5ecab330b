// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/files/growing_file.h"

#include "engine/base/error.h"
#include "engine/io/files/input_file.h"

#include <string>

namespace engine
{

// The flag exists since version 3 of the superblock. Source: HDF5 File Format Specification 3.0, II.A.
bool isWrittenBySwmr(const std::filesystem::path& path)
{
    constexpr std::size_t version = 8, flags = 11;
    std::string begin;
    try {
        begin = beginningOf(path, flags + 1);
    } catch (const Error&) { // reported by whoever opens the file
    }
    return begin.size() > flags && begin[version] >= 3 && (begin[flags] & 4) != 0;
}

} // namespace engine
