// SPDX-License-Identifier: GPL-3.0-or-later
// An HDF5 file, read lazily. The HDF5 library runs in the helper program only (helper_session.h); where that can
// describe how numbers are stored, this program reads and decodes them itself.
#pragma once

#include "engine/base/uninitialized.h"
#include "engine/io/hdf5/hdf5_types.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace engine
{

class HelperSession;
class PluginDecoders;

// A data set, open for reading. Cheap to copy; may be read from any thread.
class Hdf5Dataset
{
  public:
    const DatasetFacts& facts() const;
    const std::string& path() const { return facts().path; }
    const std::filesystem::path& filePath() const { return facts().file; }
    const std::vector<long long>& shape() const { return facts().shape; }
    const std::vector<long long>& chunk() const { return facts().chunk; }
    const std::vector<std::filesystem::path>& files() const { return facts().files; }
    const std::string& sampleType() const { return facts().sampleType; }
    const VirtualGaps& gaps() const { return facts().gaps; }
    const std::optional<ChunkFormat>& chunkFormat() const { return facts().format; }
    long long size() const; // the total of numbers
    std::uintmax_t bytesOfFiles() const;
    // Throws Error(badFile) if the data set claims far more numbers than its files can hold and none of its numbers was
    // ever written.
    void requireWritten() const;
    // Returns where in the files the numbers are stored as they are; nothing if they are compressed, not all written,
    // or in pieces that only HDF5 can assemble.
    std::optional<StoredNumbers> stored() const;
    // Returns the parts of a virtual data set; none unless it consists of whole steps of other data sets.
    std::vector<VirtualPart> parts() const;
    Hdf5Dataset source(const VirtualPart& part) const; // throws Error(badFile)
    std::shared_ptr<PluginDecoders> plugins() const;   // for filters of plug-ins
    // Returns whether the chunk that a position is in was ever written; true without chunks.
    bool isWritten(const std::vector<long long>& position) const;
    bool isWhole() const; // no chunk is missing
    // Looks up anew where its chunks are, if a file of it has been written to. Returns a number that grows whenever
    // those that had been written have moved, or may have. Throws Error(badFile), also for another shape.
    long long layout() const;
    StoredChunk readChunk(const std::vector<long long>& start, Buffer<char>& bytes) const;

    // Reads a block in the order of the file, converted to float. Throws Error(badFile).
    void read(const std::vector<long long>& start, const std::vector<long long>& count, float* out) const;
    // Reads all numbers: for angles, keys and sizes. Throws Error(badFile), also beyond 16 million numbers, and for
    // gaps.
    std::vector<double> numbers() const;

    struct Impl;
    explicit Hdf5Dataset(std::shared_ptr<const Impl> impl = {}) : m_impl(std::move(impl)) {}

  private:
    std::shared_ptr<const Impl> m_impl;
};

// An open HDF5 file, read-only and without a file lock, so that a file that others hold open can be read.
class Hdf5File
{
  public:
    using Node = Hdf5Node;

    explicit Hdf5File(const std::filesystem::path& path, std::stop_token stop = {}); // throws Error(badFile), cancelled
    explicit Hdf5File(std::shared_ptr<HelperSession> session);                       // as above
    // To be called when the file has been opened completely: what is read from it later isn't stopped by the token.
    void outliveStop() const;
    static bool recognises(const std::filesystem::path& path);

    const std::filesystem::path& path() const;
    Node node(const std::string& path) const;                          // cached
    std::vector<std::string> children(const std::string& group) const; // names, sorted; empty for none
    const Hdf5Nodes& nodes(int depth) const;                           // cached
    // Throws Error(badFile) for a missing data set, a broken link (names the missing target), or a compression filter
    // that is not installed (names it).
    Hdf5Dataset dataset(const std::string& path) const;
    // Returns the text of a data set or attribute; a number is converted to text; nothing if it doesn't exist.
    std::optional<std::string> text(const std::string& path) const;
    std::optional<std::string> attribute(const std::string& path, const std::string& name) const;
    // Returns this file and all files that data sets opened through it are read from: behind external links, external
    // storage, sources of virtual data sets.
    std::vector<std::filesystem::path> files() const;
    // Returns the first number of a data set; nothing if it doesn't exist or isn't a number.
    std::optional<double> number(const std::string& path) const;
    // Explains why the link at the path, or an earlier link on it, is broken: names the missing file or object.
    std::string whyBroken(const std::string& path) const;

  private:
    struct Impl;
    std::shared_ptr<const Impl> m_impl;
};

} // namespace engine
