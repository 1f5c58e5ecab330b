// SPDX-License-Identifier: GPL-3.0-or-later
// Folders that are created for an output.
#pragma once

#include "engine/io/files/exit_cleanup.h"

#include <filesystem>
#include <optional>
#include <vector>

namespace engine
{

// Created folders. The destructor removes them again, outermost last, unless keep() was called or others have put
// files into them.
class MadeFolders
{
  public:
    explicit MadeFolders(const std::filesystem::path& folder); // throws Error(output)
    // Takes over folders that another process has created for several processes: the last of these to finish removes
    // them.
    explicit MadeFolders(std::vector<std::filesystem::path> made);
    ~MadeFolders();
    MadeFolders(const MadeFolders&) = delete;
    MadeFolders& operator=(const MadeFolders&) = delete;
    void keep() { m_kept = true; }
    const std::vector<std::filesystem::path>& made() const { return m_made; } // outermost first

  private:
    static void remove(void* madeFolders) noexcept;

    std::vector<std::filesystem::path> m_made; // outermost first
    bool m_kept = false;
    std::optional<RemovedAtExit> m_leftover;
};

} // namespace engine
