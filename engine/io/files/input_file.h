// SPDX-License-Identifier: GPL-3.0-or-later
// A file that is read: regular files alone, as a pipe or a device may keep who reads it waiting, or never end.
#pragma once

#include "engine/base/text.h"
#include "engine/io/files/size_limits.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace engine
{

// What keeps a path from being read: "it is a pipe, and no file", "it isn't there"; empty: nothing.
std::string whyNotRead(const std::filesystem::path& path);

// Why no file may lead there: the system's own folders; empty: it may. /dev/shm holds files like any other folder.
std::string whyNotLedTo(const std::filesystem::path& path);

// What a file is known by until it is changed.
struct FileIdentity {
    std::uint64_t device = 0, inode = 0;
    std::int64_t bytes = 0, modifiedNs = 0, changedNs = 0; // changed: its contents, name, owner or permissions
    bool operator==(const FileIdentity&) const = default;
};
std::optional<FileIdentity> identityOf(const std::filesystem::path& path); // nothing: it can't be looked at

// Open for reading. May be read from any thread.
class InputFile
{
  public:
    explicit InputFile(const std::filesystem::path& path); // throws Error(badFile)
    ~InputFile();
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;

    const std::filesystem::path& path() const { return m_path; }
    const FileIdentity& identity() const { return m_identity; } // when it was opened
    std::uintmax_t bytes() const { return static_cast<std::uintmax_t>(m_identity.bytes); }
    bool isSameAs(const InputFile& other) const
    {
        return m_identity.device == other.m_identity.device && m_identity.inode == other.m_identity.inode;
    }

    // Up to so many bytes; fewer at the end of the file alone. Throws Error(badFile).
    std::size_t read(char* to, std::size_t bytes, std::uintmax_t offset) const;

    [[noreturn]] void fail(const std::string& why) const; // "'PATH' can't be read: WHY."

  private:
    std::filesystem::path m_path;
    int m_descriptor = -1;
    FileIdentity m_identity;
};

// The first bytes, or all there are. Throws Error(badFile).
std::string beginningOf(const std::filesystem::path& path, std::size_t bytes);

// All of a text file: every file of text that anybody may have made is read by this. Throws Error(badFile), beginning
// with `who`, which names the file, also where it is empty or has more than `most` bytes.
std::string textOf(const std::filesystem::path& path, const Text& who, int most = mostText);

} // namespace engine
