// SPDX-License-Identifier: GPL-3.0-or-later
// Found before the engine's rows of readers with -DSINOSCOPE_SECOND_GEOMETRY=ON: one row more, for ../../reader.cpp.
#pragma once

#define readerRows readerRowsOfTheEngine
#include "../../../../../engine/io/open/reader_rows.h"
#undef readerRows

#include <vector>

namespace engine
{

extern const Reader secondGeometryReader;

inline std::vector<Reader> readerRows()
{
    const auto own = readerRowsOfTheEngine();
    std::vector<Reader> rows(own.begin(), own.end());
    rows.push_back(secondGeometryReader);
    return rows;
}

} // namespace engine
