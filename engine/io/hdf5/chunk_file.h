// SPDX-License-Identifier: GPL-3.0-or-later
// Deflated chunks that one process has made and another puts into the output: one behind the other, each with its place
// in that, in a file that goes when it is done with.
#pragma once

#include "engine/io/files/pending_file.h"

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <span>
#include <vector>

namespace engine
{

// All throw Error(output) that names the output.
class ChunkFile
{
  public:
    explicit ChunkFile(const std::filesystem::path& output); // under a temporary name beside it
    void add(long long place, std::span<const std::byte> chunk);
    void store(); // for good: another reads it
    const std::filesystem::path& path() const { return m_pending.temporary(); }

  private:
    [[noreturn]] void fail() const;

    std::filesystem::path m_output;
    PendingFile m_pending; // never gets its name
    std::ofstream m_file;
};

class StoredChunks
{
  public:
    StoredChunks(const std::filesystem::path& path, const std::filesystem::path& output);
    bool hasMore();
    long long next(std::vector<std::byte>& chunk); // its place

  private:
    [[noreturn]] void fail() const;

    std::filesystem::path m_path, m_output;
    std::ifstream m_file;
};

} // namespace engine
