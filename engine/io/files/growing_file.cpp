// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/files/growing_file.h"

#include "engine/base/error.h"
#include "engine/io/files/input_file.h"

#include <string>

namespace engine
{

// The superblock's version 3 has it. Source: HDF5 File Format Specification 3.0, II.A.
bool isWrittenBySwmr(const std::filesystem::path& path)
{
    constexpr std::size_t version = 8, flags = 11;
    std::string begin;
    try {
        begin = beginningOf(path, flags + 1);
    } catch (const Error&) { // who opens it says why
    }
    return begin.size() > flags && begin[version] >= 3 && (begin[flags] & 4) != 0;
}

} // namespace engine
