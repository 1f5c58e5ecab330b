// SPDX-License-Identifier: GPL-3.0-or-later
// THE table of readers: the formats that scans come in, a file each. Opening, the window's dialogs, help and messages
// loop over it; the desktop entry and the manual are compared with it by tests/engine/io/open/readers_test.cpp.
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

// THE table.
std::span<const Reader> readers();

// The row that the options ask for, else the surest, and the first of equally sure ones; nullptr: none.
const Reader* readerFor(const Candidate& candidate);

// What a row may be asked for instead, for a file with this name; nullptr: nothing.
const Reader* alternativeFor(const std::filesystem::path& path, const OpenOptions& options);

std::vector<const Container*> containers();
const Container* containerOf(const std::filesystem::path& file); // nullptr: none of them

// Each once, in the order of the table: ".h5", …
std::vector<std::string> suffixesOf(const Reader& reader);
std::vector<std::string> scanSuffixes();
std::string withoutSuffix(const std::string& name); // "tooth" for "tooth.h5", whatever the case of its letters

// "HDF5 file (DXchange or NXtomo), TIFF file, or folder of TIFFs"; `layouts`: also what can be opened only when the
// user describes it, ", or raw file".
std::string scansInWords(bool layouts);

} // namespace engine
