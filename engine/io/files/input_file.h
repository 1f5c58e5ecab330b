// SPDX-License-Identifier: GPL-3.0-or-later
// Input files: only regular files are opened, as a pipe or a device may block the reader or never end.
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

// Explains why a path can't be read: "it is a pipe, not a file", "it isn't there"; empty if it can.
std::string whyNotRead(const std::filesystem::path& path);

// Explains why a file of a scan must not refer to this path: the path is in a system folder. Empty if a file may refer
// to it. Paths in /dev/shm are allowed, as that folder holds ordinary files.
std::string whyNotLedTo(const std::filesystem::path& path);

// The identity of a file; any change of the file changes it.
struct FileIdentity {
    std::uint64_t device = 0, inode = 0;
    std::int64_t bytes = 0, modifiedNs = 0, changedNs = 0; // changedNs: of contents, name, owner or permissions
    bool operator==(const FileIdentity&) const = default;
};
std::optional<FileIdentity> identityOf(const std::filesystem::path& path); // nothing if the path can't be examined

// A file that is open for reading. May be read from any thread.
class InputFile
{
  public:
    explicit InputFile(const std::filesystem::path& path); // throws Error(badFile)
    // Takes ownership of an open descriptor. Throws Error(badFile) unless it is that of a regular file.
    InputFile(std::filesystem::path path, int descriptor);
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

    // Reads up to `bytes` bytes; fewer only at the end of the file. Throws Error(badFile).
    std::size_t read(char* to, std::size_t bytes, std::uintmax_t offset) const;

    int descriptor() const { return m_descriptor; }

    [[noreturn]] void fail(const std::string& why) const; // "'PATH' can't be read: WHY."

  private:
    std::filesystem::path m_path;
    int m_descriptor = -1;
    FileIdentity m_identity;
};

// Reads the first bytes, or the whole file if it is shorter. Throws Error(badFile).
std::string beginningOf(const std::filesystem::path& path, std::size_t bytes);

// Reads a whole text file; to be used for every text file that others may have made. Throws Error(badFile), also if
// the file is empty or has more than `most` bytes. `who` begins the message and names the file. UTF-16 with a
// byte-order mark becomes UTF-8; marks are removed.
std::string textOf(const std::filesystem::path& path, const Text& who, int most = mostText);

} // namespace engine
