// SPDX-License-Identifier: GPL-3.0-or-later
// Replaces the engine's table of readers in builds with -DSINOSCOPE_SECOND_GEOMETRY=ON (this folder is searched
// first): adds a row for ../../reader.cpp.
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
