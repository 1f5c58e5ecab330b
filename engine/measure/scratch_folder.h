// SPDX-License-Identifier: GPL-3.0-or-later
// A temporary folder inside another folder, with everything in it.
#pragma once

#include "engine/io/files/exit_cleanup.h"

#include <filesystem>
#include <optional>
#include <string>

namespace engine
{

// Temporary folder that is removed with its contents, also if the program is interrupted. `parent` is removed too if
// it had to be created and nothing else is in it.
class ScratchFolder
{
  public:
    explicit ScratchFolder(const std::filesystem::path& parent); // throws Error(output)
    ~ScratchFolder();
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
    std::filesystem::path operator/(const std::string& name) const { return m_path / name; }
    const std::filesystem::path& path() const { return m_path; }

  private:
    static void remove(void* scratchFolder) noexcept;

    std::filesystem::path m_path, m_removed, m_made; // m_removed: its name while it is being removed
    std::optional<RemovedAtExit> m_leftover;
};

} // namespace engine
