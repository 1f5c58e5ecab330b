// SPDX-License-Identifier: GPL-3.0-or-later
// Unusable files that tests produce by damaging good ones, and a check that they are refused
#pragma once

#include "engine/io/open/open_scan.h"
#include "tests/engine/io/files.h"

namespace made
{

// Writes a complete DXchange scan, which tests then damage.
inline void dxchange(Hdf5& file, std::size_t projections = 5, std::size_t angles = 5)
{
    file.numbers("/exchange/data", {projections, 3, 4}, counting(projections * 12), H5T_STD_U16LE);
    file.numbers("/exchange/theta", {angles}, counting(angles, 36));
    file.attribute("/exchange/theta", "units", "deg");
}

inline void nxtomo(Hdf5& file, const std::vector<double>& keys)
{
    file.text("/scan/definition", "NXtomo");
    file.numbers("/scan/instrument/detector/data", {keys.size(), 3, 4}, counting(keys.size() * 12));
    file.numbers("/scan/instrument/detector/image_key", {keys.size()}, keys, H5T_STD_I32LE);
    file.numbers("/scan/sample/rotation_angle", {keys.size()}, counting(keys.size(), 30));
}

// Returns whether opening fails with the expected error kind and a message that contains the file's name and all of
// the words.
inline bool refused(const fs::path& path, std::vector<std::string> words, const engine::OpenOptions& options = {},
                    engine::ErrorKind expected = engine::ErrorKind::badFile)
{
    words.push_back(path.filename().string());
    return exitStatus(expected) == 2 && fixtures::fails(expected, words, [&] { engine::openScan(path, options); });
}

} // namespace made
