// In place of the engine's rows of readers, with -DSINOSCOPE_SECOND_GEOMETRY=ON: one more, for ../../reader.cpp.
#pragma once

#include "engine/io/readers.h"

#include <array>

namespace engine
{

extern const Reader dxchangeReader, nxtomoReader, tiffStackReader, tiffSinogramReader, rawReader;
extern const Reader secondGeometryReader;

inline auto readerRows()
{
    return std::array{dxchangeReader,     nxtomoReader, tiffStackReader,
                      tiffSinogramReader, rawReader,    secondGeometryReader};
}

} // namespace engine
