// A file that is read: regular files alone, as a pipe or a device may keep who reads it waiting, or never end.
#pragma once

#include "engine/io/plausible.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

namespace engine
{

// What keeps a path from being read: "it is a pipe, and no file", "it isn't there"; empty: nothing.
std::string whyNotRead(const std::filesystem::path& path);

// Why no file may lead there: the system's own folders; empty: it may. /dev/shm holds files like any other folder.
std::string whyNotLedTo(const std::filesystem::path& path);

// Open for reading. May be read from any thread.
class InputFile
{
  public:
    explicit InputFile(const std::filesystem::path& path); // throws Error(badFile)
    ~InputFile();
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;

    const std::filesystem::path& path() const { return m_path; }
    std::uintmax_t bytes() const { return m_bytes; } // when it was opened
    bool isSameAs(const InputFile& other) const { return m_device == other.m_device && m_inode == other.m_inode; }

    // Up to so many bytes; fewer at the end of the file alone. Throws Error(badFile).
    std::size_t read(char* to, std::size_t bytes, std::uintmax_t offset) const;

    [[noreturn]] void fail(const std::string& why) const; // "'PATH' can't be read: WHY."

  private:
    std::filesystem::path m_path;
    int m_descriptor = -1;
    std::uintmax_t m_bytes = 0;
    std::uint64_t m_device = 0, m_inode = 0;
};

// The first bytes, or all there are. Throws Error(badFile).
std::string beginningOf(const std::filesystem::path& path, std::size_t bytes);

// All of a text file: every file of text that anybody may have made is read by this. Throws Error(badFile), beginning
// with `who`, which names the file, also where it is empty or has more than `most` bytes.
std::string textOf(const std::filesystem::path& path, const std::string& who, int most = mostText);

} // namespace engine
