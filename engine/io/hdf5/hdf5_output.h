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

// All functions throw Error(output) naming the file. Groups on the way to a path are made.
class Hdf5Output
{
  public:
    // Writes over the file `path`; messages name `shownAs`, its final name. keeps: numbers that were written by the
    // same calls before stay where they are.
    Hdf5Output(const std::filesystem::path& path, const std::filesystem::path& shownAs, bool keeps = false);
    ~Hdf5Output(); // closes without a word
    Hdf5Output(const Hdf5Output&) = delete;
    Hdf5Output& operator=(const Hdf5Output&) = delete;

    void group(const std::string& path, const std::string& nexusClass);
    void text(const std::string& path, const std::string& value);
    void number(const std::string& path, double value);
    void numbers(const std::string& path, const std::vector<double>& values);
    void integers(const std::string& path, const std::vector<int>& values);
    void attribute(const std::string& path, const std::string& name, const std::string& value);
    void link(const std::string& existing, const std::string& path); // a second name of the same object
    void attribute(const std::string& path, const std::string& name, double value);
    // 32-bit floats, halves or 16-bit whole numbers, contiguous; written block by block. Returns where in the file they
    // begin, a whole number of pages.
    long long numbers(const std::string& path, const std::vector<long long>& shape, OutputFormat::Type type);
    // The same in chunks, each made of bytes grouped by significance (HDF5's shuffle) and deflated, by whoever calls.
    void chunks(const std::string& path, const std::vector<long long>& shape, const OutputFormat& format,
                const std::vector<long long>& chunk);
    void writeChunk(const std::string& path, const std::vector<long long>& start, std::span<const std::byte> deflated);
    void write(const std::string& path, const std::vector<long long>& start, const std::vector<long long>& count,
               const float* values);
    void close(); // what could not be written shows here at the latest

  private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace engine
