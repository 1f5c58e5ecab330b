// SPDX-License-Identifier: GPL-3.0-or-later
// A part of a file, written by all threads of the task arena simultaneously.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>

namespace engine
{

// Checks the free space of the file system of an existing file. Throws Error(output) that names `shownAs` if it is
// less than `bytes`.
void requireRoom(const std::filesystem::path& path, const std::filesystem::path& shownAs, long long bytes);

class FileRegion
{
  public:
    // The file must exist. Messages name `shownAs`, its final name. Throws Error(output), also if the file system has
    // less free space than the region needs.
    FileRegion(const std::filesystem::path& path, const std::filesystem::path& shownAs, long long offset,
               long long bytes);
    ~FileRegion();
    FileRegion(const FileRegion&) = delete;
    FileRegion& operator=(const FileRegion&) = delete;

    // Writes bytes at position `at`, counted from the beginning of the region. Throws Error(output), e.g. for a full
    // disk, and Error(cancelled), checked every few megabytes.
    void write(long long at, std::span<const std::byte> bytes, const std::stop_token& stop);

    // Writes `count` bytes that are generated in place: `fill(from, to)` generates the to.size() bytes from position
    // `from` on (counted from `at`), on any thread. Pieces begin and end at multiples of 8 bytes, except for the end
    // of the last one.
    using Fill = std::function<void(long long from, std::span<std::byte> to)>;
    void write(long long at, long long count, const Fill& fill, const std::stop_token& stop);

    // For regions of a file that several processes write: lengthen() extends the file to `bytes` bytes from the
    // region's beginning, before any process writes; store() flushes this region's data to the disk. Both throw
    // Error(output).
    void lengthen(long long bytes);
    void store() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace engine
