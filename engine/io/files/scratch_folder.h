// SPDX-License-Identifier: GPL-3.0-or-later
// A temporary folder inside another folder, for files whose names are given in advance.
#pragma once

#include "engine/io/files/exit_cleanup.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace engine
{

// Temporary folder of one user. It is removed with the files that were named, also if the program is interrupted. If
// it contains anything else, it stays with that.
class ScratchFolder
{
  public:
    // Throws Error(output) if the parent doesn't exist or can't be written.
    explicit ScratchFolder(const std::filesystem::path& parent, const std::string& begin = "sinoscope-benchmark");
    ~ScratchFolder();
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    std::filesystem::path file(const std::string& name); // returns its path; can be called by any thread
    const std::filesystem::path& path() const { return m_path; }

  private:
    static void remove(void* scratchFolder) noexcept;

    std::filesystem::path m_path, m_removed; // m_removed: its name while it is being removed
    int m_descriptor = -1;
    std::vector<std::string> m_files;
    std::optional<RemovedAtExit> m_leftover;
};

} // namespace engine
