// SPDX-License-Identifier: GPL-3.0-or-later
// Files of deflated chunks that one process compresses and another puts into the output. Each chunk is preceded by
// its place in the output. The file is temporary and removed after use.
#pragma once

#include "engine/io/files/pending_file.h"

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <span>
#include <vector>

namespace engine
{

// A file of chunks being written. All functions throw Error(output) that names the output.
class ChunkFile
{
  public:
    explicit ChunkFile(const std::filesystem::path& output); // under a temporary name beside the output
    void add(long long place, std::span<const std::byte> chunk);
    void store(); // flushes it to the disk, as another process reads it
    const std::filesystem::path& path() const { return m_pending.temporary(); }

  private:
    [[noreturn]] void fail() const;

    std::filesystem::path m_output;
    PendingFile m_pending; // never renamed to its final name
    std::ofstream m_file;
};

class StoredChunks
{
  public:
    StoredChunks(const std::filesystem::path& path, const std::filesystem::path& output);
    bool hasMore();
    long long next(std::vector<std::byte>& chunk); // returns its place

  private:
    [[noreturn]] void fail() const;

    std::filesystem::path m_path, m_output;
    std::ifstream m_file;
};

} // namespace engine
