// SPDX-License-Identifier: GPL-3.0-or-later
// A stretch of a file that is being written, by all threads of the task arena at once.
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

// Throws Error(output) that names `shownAs` where the file system of a file that is there has less room than that.
void requireRoom(const std::filesystem::path& path, const std::filesystem::path& shownAs, long long bytes);

class FileRegion
{
  public:
    // The file is there already; `shownAs`, its final name, is what messages name. Throws Error(output), also when the
    // file system has less room than the region takes.
    FileRegion(const std::filesystem::path& path, const std::filesystem::path& shownAs, long long offset,
               long long bytes);
    ~FileRegion();
    FileRegion(const FileRegion&) = delete;
    FileRegion& operator=(const FileRegion&) = delete;

    // From `at` on, in bytes from the region's beginning. Throws Error(output), e.g. a full disk, and
    // Error(cancelled), asking every few megabytes.
    void write(long long at, std::span<const std::byte> bytes, const std::stop_token& stop);

    // The same of bytes that are made where they go: `fill(from, to)` makes those from the `from`-th on, as many as
    // `to` has, by any thread. Stretches begin and end at multiples of 8 bytes, but for the last.
    using Fill = std::function<void(long long from, std::span<std::byte> to)>;
    void write(long long at, long long count, const Fill& fill, const std::stop_token& stop);

    // For regions that several processes write: the file as long as all of them, before any is written; and what was
    // written of this one, on the disk for good. Throw Error(output).
    void lengthen(long long bytes);
    void store() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace engine
