// SPDX-License-Identifier: GPL-3.0-or-later
// An HDF5 file being written; the library stays inside the .cpp.
#pragma once

#include "engine/io/files/output_format.h"

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace engine
{

// An HDF5 file being written. All functions throw Error(output) naming the file. Missing groups of a path are
// created.
class Hdf5Output
{
  public:
    // Overwrites the file `path`; messages name `shownAs`, its final name. keeps: doesn't empty the file. If the
    // same calls create the same data sets as in an earlier run, the numbers that the earlier run wrote stay in place.
    Hdf5Output(const std::filesystem::path& path, const std::filesystem::path& shownAs, bool keeps = false);
    ~Hdf5Output(); // closes the file, ignoring errors
    Hdf5Output(const Hdf5Output&) = delete;
    Hdf5Output& operator=(const Hdf5Output&) = delete;

    void group(const std::string& path, const std::string& nexusClass);
    void text(const std::string& path, const std::string& value);
    void number(const std::string& path, double value);
    void numbers(const std::string& path, const std::vector<double>& values);
    void integers(const std::string& path, const std::vector<int>& values);
    void attribute(const std::string& path, const std::string& name, const std::string& value);
    void attribute(const std::string& path, const std::string& name, const std::vector<std::string>& values);
    void link(const std::string& existing, const std::string& path); // a second name of the same object (a hard link)
    void attribute(const std::string& path, const std::string& name, double value);
    void attribute(const std::string& path, const std::string& name, const std::vector<double>& values);
    // Creates a contiguous data set of 32-bit floats, halves or 16-bit whole numbers, which is written block by
    // block. Returns its offset in the file in bytes, a whole number of pages.
    long long numbers(const std::string& path, const std::vector<long long>& shape, OutputFormat::Type type);
    // Creates a data set of 32-bit floats whose last two dimensions are images, each a chunk. Images that aren't
    // written take no room, and are read as NaN.
    void images(const std::string& path, const std::vector<long long>& shape);
    // Creates a data set in chunks, which the caller shuffles (HDF5's grouping of bytes by significance) and
    // deflates.
    void chunks(const std::string& path, const std::vector<long long>& shape, const OutputFormat& format,
                const std::vector<long long>& chunk);
    void writeChunk(const std::string& path, const std::vector<long long>& start, std::span<const std::byte> deflated);
    void write(const std::string& path, const std::vector<long long>& start, const std::vector<long long>& count,
               const float* values);
    void close(); // reports write errors that were not reported before

  private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace engine
