// SPDX-License-Identifier: GPL-3.0-or-later
// Files of a few kilobytes that would take memory or time, or mislead the reader, each with the error message that it
// is refused with
#pragma once

#include "engine/io/open/open_scan.h"
#include "tests/engine/io/refused.h"

#include <sys/stat.h>

#include <fstream>
#include <functional>
#include <limits>

namespace made
{

// Input that is given to the program
struct Given {
    fs::path scan;
    engine::OpenOptions options = {};
    fs::path angles = {};   // a file of angles
    bool isImage = false;   // an image to compare with
    bool readsRows = false; // opening it succeeds, reading its rows fails
};

struct BadFile {
    const char* name;
    std::function<Given(const fs::path& folder)> make;
    std::string says; // FOLDER stands for the file's folder
};

// An entry of a classic one-page TIFF that is written byte by byte; entries are in the order of their tags
struct TiffEntry {
    std::uint16_t tag, type;
    std::uint32_t count, value;
};

inline void put(std::string& bytes, std::uint64_t value, int count)
{
    for (int k = 0; k < count; ++k)
        bytes += char(value >> 8 * k & 255);
}

inline std::string page(const std::vector<TiffEntry>& entries, std::uint32_t next)
{
    std::string bytes;
    put(bytes, entries.size(), 2);
    for (const TiffEntry& entry : entries) {
        put(bytes, entry.tag, 2), put(bytes, entry.type, 2);
        put(bytes, entry.count, 4), put(bytes, entry.value, 4);
    }
    put(bytes, next, 4);
    return bytes;
}

inline std::vector<TiffEntry> image(std::uint32_t width, std::uint32_t height, std::uint32_t compression,
                                    std::uint32_t at, std::uint32_t bytes)
{
    return {{256, 4, 1, width}, {257, 4, 1, height}, {258, 3, 1, 16},     {259, 3, 1, compression}, {262, 3, 1, 1},
            {273, 4, 1, at},    {277, 3, 1, 1},      {278, 4, 1, height}, {279, 4, 1, bytes},       {339, 3, 1, 1}};
}

inline void write(const fs::path& path, const std::string& bytes)
{
    std::ofstream(path, std::ios::binary) << bytes;
}

inline void tiffOf(const fs::path& path, const std::vector<TiffEntry>& entries)
{
    write(path, std::string("II*\0\x08\0\0\0", 8) + page(entries, 0) + std::string(64, '\0'));
}

inline void pipe(const fs::path& path)
{
    ::mkfifo(path.c_str(), 0600);
}

// Creates a data set without any written values, chunked if `chunk` is not empty.
inline void unwritten(Hdf5& file, const std::string& path, const std::vector<hsize_t>& shape,
                      const std::vector<hsize_t>& chunk = {}, bool deflated = false)
{
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    if (!chunk.empty())
        H5Pset_chunk(creation, int(chunk.size()), chunk.data());
    if (deflated)
        H5Pset_deflate(creation, 1);
    file.numbers(path, shape, {}, H5T_STD_U16LE, creation);
    H5Pclose(creation);
}

inline void longText(Hdf5& file, const std::string& path, std::size_t bytes)
{
    const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR), links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    H5Tset_size(type, bytes);
    H5Dclose(H5Dcreate2(file.id(), path.c_str(), type, space, links, H5P_DEFAULT, H5P_DEFAULT));
    H5Pclose(links);
    H5Sclose(space);
    H5Tclose(type);
}

// Creates a data set of 5 x 3 x 4 numbers in external storage.
inline void external(Hdf5& file, const fs::path& storage)
{
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_external(creation, storage.c_str(), 0, 120);
    file.numbers("/exchange/data", {5, 3, 4}, {}, H5T_STD_U16LE, creation);
    H5Pclose(creation);
}

inline void virtualSource(Hdf5& file, const std::string& path, const fs::path& source, const std::string& object)
{
    const hsize_t shape[3] = {5, 3, 4};
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(3, shape, nullptr);
    H5Pset_virtual(creation, space, source.c_str(), object.c_str(), space);
    file.numbers(path, {5, 3, 4}, {}, H5T_STD_U16LE, creation);
    H5Sclose(space);
    H5Pclose(creation);
}

// Creates the HDF5 file scan.h5 with the contents that `spoil` writes.
inline Given hdf5(const fs::path& folder, const std::function<void(Hdf5&)>& spoil)
{
    Hdf5 file(folder / "scan.h5");
    spoil(file);
    return {folder / "scan.h5"};
}

inline Given whole(const fs::path& folder)
{
    return hdf5(folder, [](Hdf5& file) { dxchange(file); });
}

} // namespace made
