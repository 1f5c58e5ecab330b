// SPDX-License-Identifier: GPL-3.0-or-later
// The files that a run reads, which no output may replace.
#pragma once

#include "engine/scan/scan.h"

#include <compare>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace engine
{

// A file that is read beside a scan, and what tells of it: "--settings".
struct NamedInput {
    std::filesystem::path file;
    std::string name;
};

// Known by device and inode, so that links and other spellings of a path are the same file. The state
// of the disk when it is made; cheap to ask for thousands of outputs.
class ProtectedInputs
{
  public:
    ProtectedInputs() = default; // nothing is being read
    explicit ProtectedInputs(const Scan& scan);
    void add(const NamedInput& input); // nothing where the path is empty, or no file is there

    // Throws Error(output) when `output` is one of the files (links followed, hard ones too), or a TIFF in a folder
    // that is read as a whole and would become part of the scan.
    void refuse(const std::filesystem::path& output) const;

    // Throws Error(output) when one of the files lies in the folder, which is to be replaced as a whole.
    void refuseFolder(const std::filesystem::path& folder) const;

  private:
    struct Identity {
        unsigned long long device = 0, inode = 0;
        auto operator<=>(const Identity&) const = default;
    };
    static bool identify(const std::filesystem::path& path, Identity& identity);

    std::string m_scan;                       // its name, for messages
    std::vector<Identity> m_files, m_folders; // sorted
    std::vector<std::pair<Identity, std::string>> m_named;
    std::vector<std::filesystem::path> m_paths; // of all files, links followed
};

} // namespace engine
