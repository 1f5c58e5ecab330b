// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of the table of readers, one file each, and nothing else: the tests replace them by a longer list
// (tests/second_geometry).
#pragma once

#include "engine/io/open/readers.h"

#include <array>

namespace engine
{

extern const Reader dxchangeReader;     // dxchange.cpp
extern const Reader nxtomoReader;       // nxtomo.cpp
extern const Reader cilReader;          // cil_nexus.cpp
extern const Reader hdf5SetsReader;     // hdf5_data_sets.cpp
extern const Reader tiffStackReader;    // tiff_stack.cpp
extern const Reader tiffSinogramReader; // tiff_sinogram.cpp
extern const Reader nikonReader;        // nikon.cpp
extern const Reader skyScanReader;      // skyscan.cpp
extern const Reader matReader;          // mat_file.cpp
extern const Reader npyReader;          // npy_file.cpp
extern const Reader rawReader;          // raw_file.cpp

inline auto readerRows()
{
    return std::array{dxchangeReader, nxtomoReader,  cilReader, hdf5SetsReader, tiffStackReader, tiffSinogramReader,
                      nikonReader,    skyScanReader, matReader, npyReader,      rawReader};
}

} // namespace engine
