// SPDX-License-Identifier: GPL-3.0-or-later
// The table of readers: the formats of scans, one file each. Opening, the window's dialogs, help and messages loop
// over it; tests/engine/io/open/readers_test.cpp compares the desktop entry and the manual with it.
#pragma once

#include "engine/io/formats/reader.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace engine
{

// The table.
std::span<const Reader> readers();

// Returns the reader that the options ask for, else the surest one (the first of equally sure ones); nullptr: none.
const Reader* readerFor(const Candidate& candidate);

// Returns a reader that the user could ask for instead, for a file with this name; nullptr: none.
const Reader* alternativeFor(const std::filesystem::path& path, const OpenOptions& options);

std::vector<const Container*> containers();
const Container* containerOf(const std::filesystem::path& file); // nullptr: no known type

// Each suffix once, in the order of the table: ".h5", …
std::vector<std::string> suffixesOf(const Reader& reader);
std::vector<std::string> scanSuffixes();
std::string withoutSuffix(const std::string& name); // "tooth" for "tooth.h5", regardless of case

// Returns "HDF5 file (DXchange or NXtomo), TIFF file, or folder of TIFFs". `layouts`: includes formats that the user
// must describe, ", or raw file".
std::string scansInWords(bool layouts);

} // namespace engine
